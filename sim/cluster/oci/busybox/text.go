package busybox

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

func base64Text(p *oci.Process) int {
	set := flags(p)
	decode, wrap := set.BoolP("decode", "d", false, ""), set.IntP("wrap", "w", 76, "")
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	text, status := all(p, names)
	if *decode {
		data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		_, _ = p.Stdout.Write(data)
		if err != nil {
			return complain(p, "invalid input")
		}
		return status
	}
	out := base64.StdEncoding.EncodeToString([]byte(text))
	for *wrap > 0 && len(out) > *wrap {
		fmt.Fprintln(p.Stdout, out[:*wrap])
		out = out[*wrap:]
	}
	fmt.Fprint(p.Stdout, out)
	if *wrap > 0 {
		fmt.Fprintln(p.Stdout)
	}
	return status
}

func basename(p *oci.Process) int {
	if len(p.Args) < 2 {
		return complain(p, "missing operand")
	}
	name := path.Base(p.Args[1])
	if len(p.Args) > 2 {
		name = strings.TrimSuffix(name, p.Args[2])
	}
	fmt.Fprintln(p.Stdout, name)
	return 0
}

func dirname(p *oci.Process) int {
	if len(p.Args) < 2 {
		return complain(p, "missing operand")
	}
	fmt.Fprintln(p.Stdout, path.Dir(p.Args[1]))
	return 0
}

// cut is cut -d C -f LIST, or cut -c LIST.
func cut(p *oci.Process) int {
	set := flags(p)
	delimiter, list := set.StringP("delimiter", "d", "\t", ""), set.StringP("fields", "f", "", "")
	characters := set.StringP("characters", "c", "", "")
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	text, status := all(p, names)
	for _, line := range lines(text) {
		parts, joint := strings.Split(line, *delimiter), *delimiter
		ranges := *list
		if *characters != "" {
			parts, joint, ranges = strings.Split(line, ""), "", *characters
		} else if len(parts) == 1 {
			fmt.Fprintln(p.Stdout, line)
			continue
		}
		var chosen []string
		for i, part := range parts {
			if within(ranges, i+1) {
				chosen = append(chosen, part)
			}
		}
		fmt.Fprintln(p.Stdout, strings.Join(chosen, joint))
	}
	return status
}

// within reports whether a number is in a list such as 1,3-5,7-.
func within(list string, n int) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(item string) bool {
		from, to, isRange := strings.Cut(item, "-")
		low, _ := strconv.Atoi(from)
		high, err := strconv.Atoi(to)
		if !isRange {
			return n == low
		}
		return n >= low && (err != nil || n <= high)
	})
}

func echo(p *oci.Process) int {
	words, end, escapes := p.Args[1:], "\n", false
	for len(words) > 0 && len(words[0]) > 1 && words[0][0] == '-' && strings.Trim(words[0][1:], "neE") == "" {
		if strings.Contains(words[0], "n") {
			end = ""
		}
		escapes = escapes || strings.Contains(words[0], "e")
		words = words[1:]
	}
	text := strings.Join(words, " ")
	if escapes {
		text = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`, `\a`, "\a", `\0`, "\x00").Replace(text)
	}
	if _, err := io.WriteString(p.Stdout, text+end); err != nil {
		return complain(p, "write error: %s", oci.Problem(err))
	}
	return 0
}

func grep(p *oci.Process) int {
	set := flags(p)
	option := func(name, short string) *bool { return set.BoolP(name, short, false, "") }
	quiet, invert, ignore := option("quiet", "q"), option("invert", "v"), option("ignore-case", "i")
	extended, fixed, count := option("extended", "E"), option("fixed", "F"), option("count", "c")
	only, word, numbers := option("only", "o"), option("word", "w"), option("numbers", "n")
	whole, silent, files := option("whole", "x"), option("silent", "s"), option("files", "l")
	patterns := set.StringArrayP("pattern", "e", nil, "")
	words, ok := parse(p, set)
	if !ok || len(words) == 0 && len(*patterns) == 0 {
		return 2
	}
	if len(*patterns) == 0 {
		*patterns, words = words[:1], words[1:]
	}
	matcher, err := expression(*patterns, *fixed, *extended, *ignore, *word, *whole)
	if err != nil {
		return complain(p, "bad regex: %v", err) + 1
	}
	found := false
	if *silent {
		p = p.Silent()
	}
	status := each(p, words, func(name string, r io.Reader) error {
		n, number := 0, 0
		prefix := ""
		if len(words) > 1 && !*files {
			prefix = name + ":"
		}
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, oci.MaxWritten)
		for scanner.Scan() {
			number++
			if matcher.MatchString(scanner.Text()) == *invert {
				continue
			}
			n++
			found = true
			if *quiet || *count || *files {
				continue
			}
			texts := []string{scanner.Text()}
			if *only {
				texts = matcher.FindAllString(scanner.Text(), -1)
			}
			for _, text := range texts {
				if *numbers {
					text = strconv.Itoa(number) + ":" + text
				}
				if _, err := fmt.Fprintln(p.Stdout, prefix+text); err != nil {
					return err
				}
			}
		}
		if *count {
			fmt.Fprintf(p.Stdout, "%s%d\n", prefix, n)
		}
		if *files && n > 0 {
			fmt.Fprintln(p.Stdout, name)
		}
		return scanner.Err()
	})
	switch {
	case status != 0 && !found:
		return 2
	case found:
		return 0
	}
	return failed
}

func head(p *oci.Process) int {
	return part(p, func(r io.Reader, n int) error {
		scanner := bufio.NewScanner(r)
		for i := 0; i < n && scanner.Scan(); i++ {
			fmt.Fprintln(p.Stdout, scanner.Text())
		}
		return scanner.Err()
	})
}

// part prints some lines, or the first bytes, of each file.
func part(p *oci.Process, show func(r io.Reader, n int) error) int {
	set := flags(p)
	n, size := set.IntP("lines", "n", 10, ""), set.IntP("bytes", "c", -1, "")
	set.BoolP("quiet", "q", false, "")
	if len(p.Args) > 1 {
		if number, err := strconv.Atoi(strings.TrimPrefix(p.Args[1], "-")); err == nil && p.Args[1][0] == '-' {
			other := *p
			other.Args = append([]string{p.Args[0], "-n", strconv.Itoa(number)}, p.Args[2:]...)
			p = &other
		}
	}
	names, ok := parse(p, set)
	if !ok || *n < 0 {
		return failed
	}
	return each(p, names, func(_ string, r io.Reader) error {
		if *size >= 0 {
			_, err := io.Copy(p.Stdout, io.LimitReader(r, int64(*size)))
			return err
		}
		return show(r, *n)
	})
}

// tail prints the last lines; with -f it follows a file until it is killed.
func tail(p *oci.Process) int {
	follow := slices.IndexFunc(p.Args, func(word string) bool { return word == "-f" || word == "-F" })
	if follow > 0 {
		other := *p
		other.Args = slices.Delete(slices.Clone(p.Args), follow, follow+1)
		if status := tail(&other); status != 0 {
			return status
		}
		<-p.Context.Done()
		return failed
	}
	return part(p, func(r io.Reader, n int) error {
		text, err := io.ReadAll(r)
		all := lines(string(text))
		for _, line := range all[max(0, len(all)-n):] {
			fmt.Fprintln(p.Stdout, line)
		}
		return err
	})
}

// hexdump is hexdump -C: bytes as numbers and as characters.
func hexdump(p *oci.Process) int {
	set := flags(p)
	set.BoolP("canonical", "C", false, "")
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	text, status := all(p, names)
	fmt.Fprint(p.Stdout, hex.Dump([]byte(text)))
	return status
}

func md5sum(p *oci.Process) int {
	return sum(p, func(data []byte) string {
		sum := md5.Sum(data)
		return hex.EncodeToString(sum[:])
	})
}

func sha256sum(p *oci.Process) int {
	return sum(p, func(data []byte) string {
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:])
	})
}

func sum(p *oci.Process, of func([]byte) string) int {
	names, ok := parse(p, flags(p))
	if !ok {
		return failed
	}
	return each(p, names, func(name string, r io.Reader) error {
		data, err := io.ReadAll(r)
		if err == nil {
			fmt.Fprintf(p.Stdout, "%s  %s\n", of(data), name)
		}
		return err
	})
}

func rev(p *oci.Process) int {
	text, status := all(p, p.Args[1:])
	for _, line := range lines(text) {
		runes := []rune(line)
		slices.Reverse(runes)
		fmt.Fprintln(p.Stdout, string(runes))
	}
	return status
}

// maxSequence is how many numbers seq prints.
const maxSequence = 1 << 20

func seq(p *oci.Process) int {
	first, step, last := 1, 1, 0
	var numbers []int
	for _, word := range p.Args[1:] {
		n, err := strconv.Atoi(word)
		if err != nil {
			return complain(p, "invalid number '%s'", word)
		}
		numbers = append(numbers, n)
	}
	switch len(numbers) {
	case 1:
		last = numbers[0]
	case 2:
		first, last = numbers[0], numbers[1]
	case 3:
		first, step, last = numbers[0], numbers[1], numbers[2]
	default:
		return complain(p, "usage: seq [FIRST [STEP]] LAST")
	}
	if step == 0 || (last-first)/step > maxSequence {
		return complain(p, "too many numbers")
	}
	for n := first; step > 0 && n <= last || step < 0 && n >= last; n += step {
		if _, err := fmt.Fprintln(p.Stdout, n); err != nil {
			return failed
		}
	}
	return 0
}

func sortLines(p *oci.Process) int {
	set := flags(p)
	reverse, number, once := set.BoolP("reverse", "r", false, ""), set.BoolP("number", "n", false, ""), set.BoolP("unique", "u", false, "")
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	text, status := all(p, names)
	sorted := lines(text)
	value := func(line string) float64 {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			return 0
		}
		n, _ := strconv.ParseFloat(fields[0], 64)
		return n
	}
	slices.SortStableFunc(sorted, func(a, b string) int {
		order := strings.Compare(a, b)
		if *number && value(a) != value(b) {
			order = map[bool]int{true: -1, false: 1}[value(a) < value(b)]
		}
		if *reverse {
			return -order
		}
		return order
	})
	if *once {
		sorted = slices.Compact(sorted)
	}
	for _, line := range sorted {
		fmt.Fprintln(p.Stdout, line)
	}
	return status
}

// tr is tr [-d|-s] SET [SET], with ranges and the classes of letters.
func tr(p *oci.Process) int {
	set := flags(p)
	removes, squeezes := set.BoolP("delete", "d", false, ""), set.BoolP("squeeze", "s", false, "")
	words, ok := parse(p, set)
	if !ok || len(words) == 0 {
		return failed
	}
	from, to := characters(words[0]), []rune(nil)
	if len(words) > 1 {
		to = characters(words[1])
	}
	text, status := all(p, nil)
	var out strings.Builder
	last := rune(-1)
	for _, r := range text {
		at := slices.Index(from, r)
		switch {
		case at < 0:
		case *removes:
			continue
		case len(to) > 0:
			r = to[min(at, len(to)-1)]
		}
		if *squeezes && at >= 0 && r == last {
			continue
		}
		last = r
		out.WriteRune(r)
	}
	fmt.Fprint(p.Stdout, out.String())
	return status
}

// characters are those of a set of tr.
func characters(text string) (all []rune) {
	text = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`, "[:upper:]", "A-Z", "[:lower:]", "a-z", "[:digit:]", "0-9",
		"[:alpha:]", "A-Za-z", "[:alnum:]", "A-Za-z0-9", "[:space:]", " \t\n\r").Replace(text)
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		if i+2 < len(runes) && runes[i+1] == '-' {
			for r := runes[i]; r <= runes[i+2]; r++ {
				all = append(all, r)
			}
			i += 2
			continue
		}
		all = append(all, runes[i])
	}
	return all
}

func uniq(p *oci.Process) int {
	set := flags(p)
	count := set.BoolP("count", "c", false, "")
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	text, status := all(p, names)
	all := lines(text)
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n] == all[i] {
			n++
		}
		if *count {
			fmt.Fprintf(p.Stdout, "%7d ", n)
		}
		fmt.Fprintln(p.Stdout, all[i])
		i += n
	}
	return status
}

func wc(p *oci.Process) int {
	set := flags(p)
	byLine, byWord, byByte := set.BoolP("lines", "l", false, ""), set.BoolP("words", "w", false, ""), set.BoolP("bytes", "c", false, "")
	names, ok := parse(p, set)
	if !ok {
		return failed
	}
	if !*byLine && !*byWord && !*byByte {
		*byLine, *byWord, *byByte = true, true, true
	}
	one := set.NFlag() == 1
	return each(p, names, func(name string, r io.Reader) error {
		data, err := io.ReadAll(r)
		var numbers []string
		for _, n := range []struct {
			wanted bool
			n      int
		}{{*byLine, bytes.Count(data, []byte("\n"))}, {*byWord, len(bytes.Fields(data))}, {*byByte, len(data)}} {
			if n.wanted && one {
				numbers = append(numbers, strconv.Itoa(n.n))
			} else if n.wanted {
				numbers = append(numbers, fmt.Sprintf("%9d", n.n))
			}
		}
		if name != "-" {
			numbers = append(numbers, name)
		}
		fmt.Fprintln(p.Stdout, strings.Join(numbers, " "))
		return err
	})
}

// xargs is xargs [-n N] COMMAND [ARGUMENT]...
func xargs(p *oci.Process) int {
	words := p.Args[1:]
	most := 0
	if len(words) > 1 && words[0] == "-n" {
		most, _ = strconv.Atoi(words[1])
		words = words[2:]
	}
	if len(words) == 0 {
		words = []string{"echo"}
	}
	text, status := all(p, nil)
	given := strings.Fields(text)
	for first := true; first || len(given) > 0; first = false {
		n := len(given)
		if most > 0 {
			n = min(n, most)
		}
		other := *p
		other.Args, other.Stdin = slices.Concat(words, given[:n]), strings.NewReader("")
		given = given[n:]
		status = max(status, Run(&other))
	}
	return status
}

// yes writes until nobody reads.
func yes(p *oci.Process) int {
	word := "y"
	if len(p.Args) > 1 {
		word = strings.Join(p.Args[1:], " ")
	}
	for p.Context.Err() == nil {
		if _, err := fmt.Fprintln(p.Stdout, word); err != nil {
			return failed
		}
		if !p.Pause() {
			return failed
		}
	}
	return failed
}

var errScript = errors.New("unsupported script")
