package program

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// The commands of agnhost that look at files and at their environment, k8s.io/kubernetes/test/images/agnhost. What they print is what the
// tests look for.

// agnhostFlags reads the options of a command of agnhost. ok is false after an error, which is written.
func agnhostFlags(p *oci.Process, declare func(*pflag.FlagSet)) (ok bool) {
	set := pflag.NewFlagSet(p.Args[1], pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.ParseErrorsWhitelist.UnknownFlags = true // those of logging
	declare(set)
	if err := set.Parse(p.Args[2:]); err != nil {
		complain(p, "%v", err)
		return false
	}
	return true
}

// complain writes an error, and returns the exit code for it.
func complain(p *oci.Process, format string, values ...any) int {
	fmt.Fprintf(p.Stderr, "Error: "+format+"\n", values...)
	return 1
}

// entrypointTester prints its command line.
func entrypointTester(p *oci.Process) int {
	fmt.Fprintf(p.Stdout, "%v\n", p.Args)
	return 0
}

// pause waits for SIGTERM.
func pause(p *oci.Process) int {
	fmt.Fprintln(p.Stdout, "Paused")
	p.Wait()
	return 0
}

// newFile is what mounttest writes to a new file.
const newFile = "mount-tester new file\n"

// mounttest makes files, and prints the types of file systems, modes, owners and contents.
func mounttest(p *oci.Process) int {
	var fsType, mode, perm, owner, content, loop string
	var retry int
	var until bool
	made := map[fs.FileMode]*string{}
	if !agnhostFlags(p, func(set *pflag.FlagSet) {
		set.StringVar(&fsType, "fs_type", "", "")
		set.StringVar(&mode, "file_mode", "", "")
		set.StringVar(&perm, "file_perm", "", "")
		set.StringVar(&owner, "file_owner", "", "")
		set.StringVar(&content, "file_content", "", "")
		set.StringVar(&loop, "file_content_in_loop", "", "")
		set.IntVar(&retry, "retry_time", 180, "")
		set.BoolVar(&until, "break_on_expected_content", true, "")
		for _, perm := range newPerms {
			made[perm] = set.String(fmt.Sprintf("new_file_%04o", perm), "", "")
		}
	}) {
		return 1
	}
	m := &mountTest{Process: p}
	m.Umask = 0
	m.say(fsType, "statfs", func(name string) (string, error) {
		kind, err := "ext4", error(nil)
		if p.Container.Files.MountOf(p.Path(name)).Memory {
			kind = "tmpfs"
		}
		return fmt.Sprintf("mount type of %q: %s", name, kind), err
	})
	for _, perm := range newPerms {
		if name := *made[perm]; name != "" && m.write(name, perm) {
			m.content(name)
		}
	}
	m.say(mode, "Stat", func(name string) (string, error) {
		info, err := p.Container.Files.Stat(p.Path(name))
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("mode of file %q: %v", name, info.Mode()), nil
	})
	m.say(perm, "Stat", func(name string) (string, error) {
		info, err := p.Container.Files.Stat(p.Path(name))
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("perms of file %q: %v", name, info.Mode().Perm()), nil
	})
	m.say(owner, "stat", func(name string) (string, error) {
		_, err := p.Container.Files.Stat(p.Path(name))
		return fmt.Sprintf("owner UID of %q: 0\nowner GID of %q: %d", name, name, p.GroupOf(p.Path(name))), err
	})
	if content != "" {
		m.content(content)
	}
	if loop != "" {
		m.loop(loop, time.Duration(retry)*time.Second, until)
	}
	return m.status
}

// newPerms are the permissions with which mounttest makes files.
var newPerms = []fs.FileMode{0o644, 0o666, 0o660, 0o777}

// mountTest is a run of mounttest, and its exit code.
type mountTest struct {
	*oci.Process
	status int
}

// say prints what is found out about a file, if there is one to look at.
func (m *mountTest) say(name, call string, about func(string) (string, error)) {
	if name == "" {
		return
	}
	text, err := about(name)
	if err != nil {
		fmt.Fprintf(m.Stdout, "error from %s(%q): %v\n", call, name, err)
		m.status = 1
		return
	}
	fmt.Fprintln(m.Stdout, text)
}

func (m *mountTest) write(name string, perm fs.FileMode) bool {
	file, err := m.Open(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err == nil {
		_, err = io.WriteString(file, newFile)
		_ = file.Close()
	}
	if err != nil {
		fmt.Fprintf(m.Stdout, "error writing new file %q: %v\n", name, err)
		m.status = 1
	}
	return err == nil
}

func (m *mountTest) content(name string) {
	data, err := m.ReadFile(name)
	if err != nil {
		fmt.Fprintf(m.Stdout, "error reading file content for %q: %v\n", name, err)
		m.status = 1
		return
	}
	fmt.Fprintf(m.Stdout, "content of file %q: %s\n", name, data)
}

// loop prints the content of a file again and again, until it is that of a new one.
func (m *mountTest) loop(name string, span time.Duration, until bool) {
	for begin := m.Now(); m.Now().Sub(begin) < span; {
		data, err := m.ReadFile(name)
		m.status = 0
		switch {
		case err != nil:
			fmt.Fprintf(m.Stdout, "Error reading file %s: %v, retrying\n", name, err)
			m.status = 1
		default:
			fmt.Fprintf(m.Stdout, "content of file %q: %s\n", name, data)
			if until && string(data) == newFile {
				return
			}
		}
		if !m.Sleep(2 * time.Second) {
			return
		}
	}
}

// logsGenerator prints lines that look like requests, evenly over a time.
func logsGenerator(p *oci.Process) int {
	var total int
	var span time.Duration
	if !agnhostFlags(p, func(set *pflag.FlagSet) {
		set.IntVarP(&total, "log-lines-total", "t", 0, "")
		set.DurationVarP(&span, "run-duration", "d", 0, "")
	}) || total <= 0 || span <= 0 {
		return 1
	}
	for i := range total {
		n := p.Container.NewID(fmt.Sprintf("line %d", i))
		fmt.Fprintf(p.Stderr, "I%s       1 logs_generator.go:76] %d %s /api/v1/namespaces/%s/pods/%x %d\n",
			p.Now().UTC().Format("0102 15:04:05.000000"), i, []string{"GET", "POST", "PUT"}[n%3],
			[]string{"kube-system", "default", "ns"}[n/3%3], n/9%4096, 200+n/4096%400)
		if !p.Sleep(span / time.Duration(total)) {
			return 1
		}
	}
	return 0
}

// etcHosts and dnsServers print what the container resolves names with.
func etcHosts(p *oci.Process) int { return printFile(p, "/etc/hosts", "") }

func dnsServers(p *oci.Process) int { return printFile(p, "/etc/resolv.conf", "nameserver") }

func dnsSuffix(p *oci.Process) int { return printFile(p, "/etc/resolv.conf", "search") }

// printFile prints a file, or of the lines of one that begin with a word, the others, with commas between them.
func printFile(p *oci.Process, name, first string) int {
	data, err := p.ReadFile(name)
	if err != nil {
		return complain(p, "%v", err)
	}
	if first == "" {
		_, _ = p.Stdout.Write(data)
		return 0
	}
	var words []string
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == first {
			words = append(words, fields[1:]...)
		}
	}
	fmt.Fprintln(p.Stdout, strings.Join(words, ","))
	return 0
}
