// Package busybox is the commands that containers of a simulation have, those of images of busybox and alpine that scripts use most: each
// is a Go function with the usual options. An option that is missing here is an error, as an unknown one is everywhere.
package busybox

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/sim/cluster/oci"
	"github.com/kubestep/kubestep/sim/cluster/oci/busybox/internal/script"
)

// The exit codes of commands that do not do what they are for.
const (
	failed   = 1
	notFound = 127
)

// commands are all, by their names. It is filled when the package is initialized, since the shell runs them, and is one of them.
var commands map[string]oci.Main

func init() {
	sh := script.Main(Find)
	commands = map[string]oci.Main{
		"sh": sh, "ash": sh, "bash": sh, "busybox": byArgument,
		"true": func(*oci.Process) int { return 0 }, "false": func(*oci.Process) int { return failed },
		"cat": cat, "chmod": chmod, "cp": cp, "dd": dd, "find": find, "ln": ln, "ls": ls, "mount": mount, "mkdir": mkdir, "mv": mv, "readlink": readlink,
		"rm": rm, "rmdir": rmdir, "stat": stat, "tee": tee, "touch": touch,
		"awk": awk, "base64": base64Text, "basename": basename, "cut": cut, "dirname": dirname, "echo": echo, "grep": grep, "head": head,
		"md5sum": md5sum, "sed": sed, "seq": seq, "sha256sum": sha256sum, "sort": sortLines, "tail": tail, "tr": tr, "uniq": uniq, "wc": wc,
		"xargs": xargs, "hexdump": hexdump, "ip": ip, "yes": yes, "rev": rev,
		"date": date, "env": env, "expr": expr, "hostname": hostname, "id": id, "nproc": nproc, "printenv": printenv, "sleep": sleep, "sysctl": sysctl,
		"timeout": timeout, "uname": uname, "which": which, "whoami": whoami,
		"[": byShell, "kill": byShell, "printf": byShell, "pwd": byShell, "test": byShell,
		"curl": curl, "nc": nc, "nslookup": nslookup, "wget": wget,
	}
}

// Find returns a command; nil if there is none.
func Find(name string) oci.Main { return commands[name] }

// Names are the names of all commands, in their order.
func Names() []string { return slices.Sorted(maps.Keys(commands)) }

// Run runs the command that the arguments of a process name, as its first process. The exit code is 127 if there is none.
func Run(p *oci.Process) int {
	name := path.Base(p.Args[0])
	if main := Find(name); main != nil {
		return main(p)
	}
	if text, err := p.ReadFile(p.Args[0]); err == nil && strings.HasPrefix(string(text), "#!") {
		p.Args = append([]string{"sh"}, p.Args...)
		return Find("sh")(p)
	}
	fmt.Fprintf(p.Stderr, "exec: %q: no such command\n", p.Args[0])
	return notFound
}

// byArgument is busybox NAME ARGUMENT...
func byArgument(p *oci.Process) int {
	if len(p.Args) < 2 {
		fmt.Fprintln(p.Stdout, strings.Join(Names(), ", "))
		return 0
	}
	other := *p
	other.Args = p.Args[1:]
	return Run(&other)
}

// byShell is a command that the shell has, too: it is the same one.
func byShell(p *oci.Process) int {
	other := *p
	other.Args = slices.Concat([]string{"sh", "-c", `"$@"`, "sh", path.Base(p.Args[0])}, p.Args[1:])
	return Run(&other)
}

// complain writes an error, and returns the exit code for it.
func complain(p *oci.Process, format string, values ...any) int {
	fmt.Fprintf(p.Stderr, "%s: %s\n", path.Base(p.Args[0]), fmt.Sprintf(format, values...))
	return failed
}

// flags returns the options of a command, without any.
func flags(p *oci.Process) *pflag.FlagSet {
	set := pflag.NewFlagSet(path.Base(p.Args[0]), pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	return set
}

// parse reads the options of a command, and returns the other arguments. ok is false after an error, which is written.
func parse(p *oci.Process, set *pflag.FlagSet) (arguments []string, ok bool) {
	if err := set.Parse(p.Args[1:]); err != nil {
		complain(p, "%v", err)
		return nil, false
	}
	return set.Args(), true
}

// each calls do with each file that the arguments name, or with the standard input. The exit code says whether all could be read.
func each(p *oci.Process, names []string, do func(name string, r io.Reader) error) (status int) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		if name == "-" {
			if do("-", p.Stdin) != nil {
				return failed
			}
			continue
		}
		file, err := p.Open(name, 0, 0)
		if err != nil {
			status = complain(p, "can't open '%s': %s", name, oci.Problem(err))
			continue
		}
		err = do(name, file)
		file.Close()
		if err != nil {
			status = complain(p, "%s: %s", name, oci.Problem(err))
		}
	}
	return status
}

// all reads what the arguments name as one text.
func all(p *oci.Process, names []string) (text string, status int) {
	var b strings.Builder
	status = each(p, names, func(_ string, r io.Reader) error {
		_, err := io.Copy(&b, r)
		return err
	})
	return b.String(), status
}

// lines are those of a text, without their ends.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
