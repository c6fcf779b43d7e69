package busybox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

func cat(p *oci.Process) int {
	names, ok := parse(p, flags(p))
	if !ok {
		return failed
	}
	return each(p, names, func(_ string, r io.Reader) error {
		_, err := io.Copy(p.Stdout, r)
		return err
	})
}

// change calls do with each name, and writes the errors.
func change(p *oci.Process, names []string, what string, do func(full string) error) (status int) {
	for _, name := range names {
		if err := do(p.Path(name)); err != nil {
			status = complain(p, "%s'%s': %s", what, name, oci.Problem(err))
		}
	}
	return status
}

func chmod(p *oci.Process) int {
	set := flags(p)
	set.BoolP("recursive", "R", false, "")
	words, ok := parse(p, set)
	if !ok || len(words) < 2 {
		return failed
	}
	return change(p, words[1:], "", func(name string) error {
		info, err := p.Container.Files.Stat(name)
		if err != nil {
			return err
		}
		mode, err := modeOf(words[0], info.Mode().Perm())
		if err != nil {
			return err
		}
		return p.Container.Files.Chmod(name, mode)
	})
}

// modeOf reads permissions, such as 0644, +x and u+rw.
func modeOf(text string, before fs.FileMode) (fs.FileMode, error) {
	if bits, err := strconv.ParseUint(text, 8, 12); err == nil {
		return fs.FileMode(bits), nil
	}
	at := strings.IndexAny(text, "+-=")
	if at < 0 {
		return 0, errors.New("invalid mode")
	}
	var bits fs.FileMode
	for _, letter := range text[at+1:] {
		bits |= map[rune]fs.FileMode{'r': 0o444, 'w': 0o222, 'x': 0o111}[letter]
	}
	if who := text[:at]; who != "" && !strings.Contains(who, "a") {
		var mask fs.FileMode
		for _, letter := range who {
			mask |= map[rune]fs.FileMode{'u': 0o700, 'g': 0o070, 'o': 0o007}[letter]
		}
		bits &= mask
	}
	switch text[at] {
	case '+':
		return before | bits, nil
	case '-':
		return before &^ bits, nil
	}
	return bits, nil
}

// target is the file to which cp, mv and ln bring one.
func target(p *oci.Process, from, to string) string {
	to = p.Path(to)
	if info, err := p.Container.Files.Stat(to); err == nil && info.IsDir() {
		return path.Join(to, path.Base(from))
	}
	return to
}

// pairs calls do with each file and its target, which is the last word.
func pairs(p *oci.Process, words []string, do func(from, to string) error) (status int) {
	if len(words) < 2 {
		return complain(p, "missing file operand")
	}
	last := words[len(words)-1]
	return change(p, words[:len(words)-1], "can't stat ", func(from string) error { return do(from, target(p, from, last)) })
}

func cp(p *oci.Process) int {
	set := flags(p)
	for _, option := range []string{"recursive:r", "archive:a", "force:f", "preserve:p"} {
		name, short, _ := strings.Cut(option, ":")
		set.BoolP(name, short, false, "")
	}
	words, ok := parse(p, set)
	if !ok {
		return failed
	}
	return pairs(p, words, func(from, to string) error { return copyAll(p, from, to) })
}

// copyAll copies a file or a folder.
func copyAll(p *oci.Process, from, to string) error {
	info, err := p.Container.Files.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if err := p.Container.Files.Mkdir(to, info.Mode().Perm(), true); err != nil {
			return err
		}
		entries, err := p.Container.Files.ReadDir(from)
		for _, entry := range entries {
			err = errors.Join(err, copyAll(p, path.Join(from, entry.Name()), path.Join(to, entry.Name())))
		}
		return err
	}
	source, err := p.Open(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer source.Close()
	sink, err := p.Open(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(sink, source)
	return errors.Join(err, sink.Close())
}

func mv(p *oci.Process) int {
	set := flags(p)
	verbose := set.BoolP("verbose", "v", false, "")
	set.BoolP("force", "f", false, "")
	words, ok := parse(p, set)
	if !ok {
		return failed
	}
	return pairs(p, words, func(from, to string) error {
		if *verbose {
			fmt.Fprintf(p.Stdout, "'%s' -> '%s'\n", from, to)
		}
		files := p.Container.Files
		if files.MountOf(from) == files.MountOf(to) {
			return files.Rename(from, to)
		}
		if err := copyAll(p, from, to); err != nil {
			return err
		}
		return files.Remove(from, true)
	})
}

func ln(p *oci.Process) int {
	set := flags(p)
	symbolic := set.BoolP("symbolic", "s", false, "")
	force := set.BoolP("force", "f", false, "")
	words, ok := parse(p, set)
	if !ok || len(words) != 2 || !*symbolic {
		return complain(p, "usage: ln -s [-f] TARGET LINK")
	}
	to := target(p, words[0], words[1])
	if *force {
		_ = p.Container.Files.Remove(to, false)
	}
	if err := p.Container.Files.Symlink(words[0], to); err != nil {
		return complain(p, "%s: %s", words[1], oci.Problem(err))
	}
	return 0
}

func readlink(p *oci.Process) int {
	words, ok := parse(p, flags(p))
	if !ok || len(words) != 1 {
		return failed
	}
	to, err := p.Container.Files.Readlink(p.Path(words[0]))
	if err != nil {
		return failed
	}
	fmt.Fprintln(p.Stdout, to)
	return 0
}

func ls(p *oci.Process) int {
	set := flags(p)
	long, hidden := set.BoolP("long", "l", false, ""), set.BoolP("all", "a", false, "")
	set.BoolP("one", "1", false, "") // each name is on a line of its own, as nothing here is a terminal
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	if len(names) == 0 {
		names = []string{p.Path(".")}
	}
	many := len(names) > 1
	return change(p, names, "", func(name string) error {
		info, err := p.Container.Files.Stat(name)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			list(p, name, info, *long)
			return nil
		}
		entries, err := p.Container.Files.ReadDir(name)
		if err != nil {
			return err
		}
		if many {
			fmt.Fprintf(p.Stdout, "%s:\n", name)
		}
		for _, entry := range entries {
			if strings.HasPrefix(entry.Name(), ".") && !*hidden {
				continue
			}
			if info, err := entry.Info(); err == nil {
				list(p, entry.Name(), info, *long)
			}
		}
		return nil
	})
}

func list(p *oci.Process, name string, info fs.FileInfo, long bool) {
	if long {
		fmt.Fprintf(p.Stdout, "%s %4d %-8s %-8s %9d %s ", info.Mode(), 1, "root", "root", info.Size(), p.Now().Format("Jan _2 15:04"))
	}
	fmt.Fprintln(p.Stdout, name)
}

func mkdir(p *oci.Process) int {
	set := flags(p)
	parents, mode := set.BoolP("parents", "p", false, ""), set.StringP("mode", "m", "0777", "")
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	perm, err := modeOf(*mode, 0)
	if err != nil {
		return complain(p, "%v", err)
	}
	if !set.Changed("mode") {
		perm &^= p.Umask
	}
	return change(p, names, "can't create directory ", func(name string) error {
		return p.Container.Files.Mkdir(name, perm, *parents)
	})
}

func rm(p *oci.Process) int {
	set := flags(p)
	recursive, force := set.BoolP("recursive", "r", false, ""), set.BoolP("force", "f", false, "")
	other := set.BoolP("Recursive", "R", false, "")
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	return change(p, names, "can't remove ", func(name string) error {
		info, err := p.Container.Files.Stat(name)
		if err != nil {
			if _, link := p.Container.Files.Readlink(name); link != nil {
				if *force && errors.Is(err, fs.ErrNotExist) {
					return nil
				}
				return err
			}
		}
		if info != nil && info.IsDir() && !*recursive && !*other {
			return errors.New("is a directory")
		}
		return p.Container.Files.Remove(name, *recursive || *other)
	})
}

func rmdir(p *oci.Process) int {
	names, ok := parse(p, flags(p))
	if !ok {
		return failed
	}
	return change(p, names, "", func(name string) error { return p.Container.Files.Remove(name, false) })
}

// stat is stat -c FORMAT FILE..., with the directives for names, permissions, owners, sizes and types.
func stat(p *oci.Process) int {
	set := flags(p)
	format := set.StringP("format", "c", "", "")
	set.BoolP("dereference", "L", false, "") // links are always followed
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	return change(p, names, "can't stat ", func(name string) error {
		info, err := p.Container.Files.Stat(name)
		if err != nil {
			return err
		}
		kind := "regular file"
		if info.IsDir() {
			kind = "directory"
		}
		text := *format
		if text == "" {
			text = "  File: %n\n  Size: %s\t%F\nAccess: (0%a/%A)  Uid: (%u)  Gid: (%g)"
		}
		bits := uint32(info.Mode().Perm())
		for special, bit := range map[fs.FileMode]uint32{fs.ModeSticky: 0o1000, fs.ModeSetgid: 0o2000, fs.ModeSetuid: 0o4000} {
			if info.Mode()&special != 0 {
				bits |= bit
			}
		}
		fmt.Fprintln(p.Stdout, strings.NewReplacer("%n", name, "%a", strconv.FormatUint(uint64(bits), 8), "%A", info.Mode().String(),
			"%s", strconv.FormatInt(info.Size(), 10), "%F", kind, "%u", "0", "%U", "root", "%g", strconv.FormatInt(p.GroupOf(name), 10),
			"%G", "root", "%%", "%").Replace(text))
		return nil
	})
}

func touch(p *oci.Process) int {
	names, ok := parse(p, flags(p))
	if !ok {
		return failed
	}
	return change(p, names, "", func(name string) error {
		file, err := p.Open(name, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return err
		}
		return file.Close()
	})
}

func tee(p *oci.Process) int {
	set := flags(p)
	more := set.BoolP("append", "a", false, "")
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	flag := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if *more {
		flag = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	writers := []io.Writer{p.Stdout}
	status := 0
	for _, name := range names {
		file, err := p.Open(name, flag, 0o666)
		if err != nil {
			status = complain(p, "%s: %s", name, oci.Problem(err))
			continue
		}
		defer file.Close()
		writers = append(writers, file)
	}
	if _, err := io.Copy(io.MultiWriter(writers...), p.Stdin); err != nil {
		return failed
	}
	return status
}

// find is find [FOLDER]... [-type f|d] [-name GLOB].
func find(p *oci.Process) int {
	words := p.Args[1:]
	var roots []string
	for len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		roots, words = append(roots, words[0]), words[1:]
	}
	if len(roots) == 0 {
		roots = []string{"."}
	}
	wanted := map[string]string{}
	for ; len(words) > 1; words = words[2:] {
		wanted[words[0]] = words[1]
	}
	var walk func(name string) error
	walk = func(name string) error {
		info, err := p.Container.Files.Stat(p.Path(name))
		if err != nil {
			return err
		}
		kind := map[bool]string{true: "d", false: "f"}[info.IsDir()]
		matched := true
		if glob := wanted["-name"]; glob != "" {
			matched, err = path.Match(glob, path.Base(name))
		}
		if matched && (wanted["-type"] == "" || wanted["-type"] == kind) {
			fmt.Fprintln(p.Stdout, name)
		}
		if !info.IsDir() || err != nil {
			return err
		}
		entries, err := p.Container.Files.ReadDir(p.Path(name))
		for _, entry := range entries {
			err = errors.Join(err, walk(strings.TrimSuffix(name, "/")+"/"+entry.Name()))
		}
		return err
	}
	for _, root := range roots {
		if err := walk(root); err != nil {
			return complain(p, "%s: %s", root, oci.Problem(err))
		}
	}
	return 0
}

// dd is dd [if=FILE] [of=FILE] [bs=N] [count=N].
func dd(p *oci.Process) int {
	operands := map[string]string{}
	for _, word := range p.Args[1:] {
		name, value, _ := strings.Cut(word, "=")
		operands[name] = value
	}
	size, err := sizeOf(operands["bs"], 512)
	count, countErr := sizeOf(operands["count"], -1)
	if err != nil || countErr != nil {
		return complain(p, "invalid number")
	}
	from, to := p.Stdin, p.Stdout
	if name := operands["if"]; name != "" {
		file, err := p.Open(strings.Replace(name, "/dev/urandom", "/dev/zero", 1), os.O_RDONLY, 0)
		if err != nil {
			return complain(p, "can't open '%s': %s", name, oci.Problem(err))
		}
		defer file.Close()
		from = file
	}
	if name := operands["of"]; name != "" {
		file, err := p.Open(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
		if err != nil {
			return complain(p, "can't open '%s': %s", name, oci.Problem(err))
		}
		defer file.Close()
		to = file
	}
	if count >= 0 {
		from = io.LimitReader(from, size*count)
	}
	n, err := io.Copy(to, from)
	fmt.Fprintf(p.Stderr, "%d bytes copied\n", n)
	if err != nil {
		return complain(p, "%s", oci.Problem(err))
	}
	return 0
}

// sizeOf reads a number of bytes such as 1M.
func sizeOf(text string, otherwise int64) (int64, error) {
	if text == "" {
		return otherwise, nil
	}
	unit := int64(1)
	for suffix, of := range map[string]int64{"k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if strings.HasSuffix(text, suffix) {
			text, unit = strings.TrimSuffix(text, suffix), of
		}
	}
	n, err := strconv.ParseInt(text, 10, 40)
	return n * unit, err
}

// sleep is sleep DURATION..., in seconds or with a unit.
func sleep(p *oci.Process) int {
	if len(p.Args) < 2 {
		return complain(p, "missing operand")
	}
	total := time.Duration(0)
	for _, word := range p.Args[1:] {
		if strings.HasPrefix(word, "inf") {
			<-p.Context.Done()
			return failed
		}
		n, err := durationOf(word)
		if err != nil {
			return complain(p, "invalid number '%s'", word)
		}
		total += n
	}
	if !p.Sleep(total) {
		return failed
	}
	return 0
}

// durationOf reads seconds, or a number with the unit s, m, h or d.
func durationOf(word string) (time.Duration, error) {
	unit := time.Second
	for suffix, of := range map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour} {
		if strings.HasSuffix(word, suffix) {
			word, unit = strings.TrimSuffix(word, suffix), of
		}
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil || n < 0 || n > 1e9 {
		return 0, errors.New("invalid number")
	}
	return time.Duration(n * float64(unit)), nil
}
