package script

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// builtins are the commands of the shell itself. They get all words of the command, and return its status. It is filled when the package
// is initialized, since some of them run others.
var builtins map[string]func(s *shell, words []string) int

func init() {
	builtins = map[string]func(s *shell, words []string) int{
		":": succeeds, "true": succeeds, "false": func(*shell, []string) int { return 1 },
		"break": leaveLoop(leavesLoop), "continue": leaveLoop(continuesLoop),
		"return": leaveWith(leavesFunction), "exit": leaveWith(leavesShell),
		"cd": changeDir, "pwd": printDir, "set": setOptions, "shift": shift, "unset": unset, "read": readLine,
		"eval": evaluate, ".": source, "source": source, "exec": replace, "command": runCommand, "type": whichCommand,
		"trap": trap, "wait": wait, "kill": kill, "umask": umask, "test": testWords, "[": testWords, "printf": printFormat,
	}
}

func succeeds(*shell, []string) int { return 0 }

// leaveLoop returns break or continue.
func leaveLoop(what leave) func(*shell, []string) int {
	return func(s *shell, words []string) int {
		s.leaves, s.loops = what, 1
		if len(words) > 1 {
			if n, err := strconv.Atoi(words[1]); err == nil && n > 0 {
				s.loops = n
			}
		}
		return 0
	}
}

// leaveWith returns return or exit.
func leaveWith(what leave) func(*shell, []string) int {
	return func(s *shell, words []string) int {
		s.leaves = what
		if len(words) < 2 {
			return s.last
		}
		n, err := strconv.Atoi(words[1])
		if err != nil {
			s.complain("%s: Illegal number: %s", words[0], words[1])
			return codeUsage
		}
		return n & 0xff
	}
}

func changeDir(s *shell, words []string) int {
	name := s.variables["HOME"].String()
	if len(words) > 1 {
		name = words[1]
	}
	full := s.process.Path(name)
	if info, err := s.process.Container.Files.Stat(full); err != nil || !info.IsDir() {
		s.complain("cd: can't cd to %s: No such file or directory", name)
		return 1
	}
	s.process.Dir = full
	return 0
}

func printDir(s *shell, _ []string) int {
	fmt.Fprintln(s.process.Stdout, path.Clean("/"+s.process.Dir))
	return 0
}

// set applies an option, or several in one word such as -eu.
func (s *shell) set(word string) error {
	on := strings.HasPrefix(word, "-")
	for _, letter := range word[1:] {
		switch letter {
		case 'e':
			s.exitOnError = on
		case 'u':
			s.noUnset = on
		case 'x':
			s.trace = on
		case 'f', 'h', 'a', 'm', 'n', 'v', 'o', 'i', 'l', 's': // of no account here
		default:
			return fmt.Errorf("illegal option -%c", letter)
		}
	}
	return nil
}

func setOptions(s *shell, words []string) int {
	for i := 1; i < len(words); i++ {
		word := words[i]
		if word == "--" || word == "" || !strings.ContainsAny(word[:1], "-+") || len(word) == 1 {
			if word == "--" {
				i++
			}
			s.arguments = slices.Clone(words[i:])
			return 0
		}
		if err := s.set(word); err != nil {
			s.complain("set: %v", err)
			return codeUsage
		}
		if strings.HasSuffix(word, "o") && i+1 < len(words) {
			i++
			on := word[0] == '-'
			switch words[i] {
			case "errexit":
				s.exitOnError = on
			case "nounset":
				s.noUnset = on
			case "xtrace":
				s.trace = on
			case "pipefail":
				s.pipefail = on
			}
		}
	}
	if len(words) == 1 {
		environment{s}.Each(func(name string, v expand.Variable) bool {
			fmt.Fprintf(s.process.Stdout, "%s='%s'\n", name, v.String())
			return true
		})
	}
	return 0
}

func shift(s *shell, words []string) int {
	n := 1
	if len(words) > 1 {
		n, _ = strconv.Atoi(words[1])
	}
	if n < 0 || n > len(s.arguments) {
		return 1
	}
	s.arguments = s.arguments[n:]
	return 0
}

func unset(s *shell, words []string) int {
	for _, name := range words[1:] {
		delete(s.variables, name)
		delete(s.functions, name)
	}
	return 0
}

// readLine is read: it reads bytes one by one, since others read the rest.
func readLine(s *shell, words []string) int {
	raw := false
	names := slices.DeleteFunc(slices.Clone(words[1:]), func(word string) bool {
		raw = raw || word == "-r"
		return strings.HasPrefix(word, "-")
	})
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	var line []byte
	one, status := make([]byte, 1), 1
	for {
		n, err := s.process.Stdin.Read(one)
		if n == 1 && one[0] == '\n' {
			status = 0
			break
		}
		line = append(line, one[:n]...)
		if err != nil {
			break
		}
	}
	fields := expand.ReadFields(s.config(), string(line), len(names), raw)
	for i, name := range names {
		value := ""
		if i < len(fields) {
			value = fields[i]
		}
		_ = environment{s}.Set(name, text(value))
	}
	return status
}

func evaluate(s *shell, words []string) int {
	s.status = 0
	s.run(strings.Join(words[1:], " "))
	return s.status
}

func source(s *shell, words []string) int {
	if len(words) < 2 {
		return codeUsage
	}
	script, err := s.process.ReadFile(words[1])
	if err != nil {
		s.complain("%s: not found", words[1])
		return codeNotFound
	}
	s.run(string(script))
	if s.leaves == leavesFunction {
		s.leaves = leavesNothing
	}
	return s.status
}

func replace(s *shell, words []string) int {
	if len(words) == 1 {
		return 0
	}
	status := s.execute(words[1:])
	s.leaves = leavesShell
	s.traps = map[string]string{}
	return status
}

func runCommand(s *shell, words []string) int {
	words = words[1:]
	if len(words) > 1 && strings.HasPrefix(words[0], "-") {
		return whichCommand(s, words)
	}
	if len(words) == 0 {
		return 0
	}
	if own := builtins[words[0]]; own != nil {
		return own(s, words)
	}
	return s.execute(words)
}

// whichCommand is type, and command -v.
func whichCommand(s *shell, words []string) int {
	for _, name := range words[1:] {
		switch {
		case s.functions[name] != nil || builtins[name] != nil:
			fmt.Fprintln(s.process.Stdout, name)
		case s.find(path.Base(name)) != nil:
			fmt.Fprintln(s.process.Stdout, path.Join("/bin", name))
		default:
			return codeNotFound
		}
	}
	return 0
}

// trap sets the scripts for TERM and EXIT. No other signal comes.
func trap(s *shell, words []string) int {
	words = words[1:]
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) < 2 {
		for _, name := range slices.Sorted(maps.Keys(s.traps)) {
			fmt.Fprintf(s.process.Stdout, "trap -- '%s' %s\n", s.traps[name], name)
		}
		return 0
	}
	for _, name := range words[1:] {
		name = strings.TrimPrefix(name, "SIG")
		switch name {
		case "15":
			name = "TERM"
		case "0":
			name = "EXIT"
		}
		if words[0] == "-" {
			delete(s.traps, name)
			continue
		}
		s.traps[name] = words[0]
	}
	return 0
}

// wait waits for commands in the background; a signal with a trap ends that.
func wait(s *shell, words []string) int {
	status := 0
	terminated := s.process.Terminated
	if _, found := s.traps["TERM"]; !found || s.terminated || s.subshell {
		terminated = nil
	}
	const bySignal = 143
	for _, j := range s.jobs.started {
		if len(words) > 1 && !slices.Contains(words[1:], strconv.Itoa(j.number)) {
			continue
		}
		select {
		case <-j.ended:
			status = j.status
		case <-terminated:
			return bySignal
		case <-s.process.Context.Done():
			return codeKilled
		}
	}
	return status
}

// kill ends commands in the background.
func kill(s *shell, words []string) int {
	status := 0
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "-") {
			continue
		}
		at := slices.IndexFunc(s.jobs.started, func(j *job) bool { return strconv.Itoa(j.number) == word })
		if at < 0 {
			s.complain("can't kill pid %s: No such process", word)
			status = 1
			continue
		}
		s.jobs.started[at].kill()
	}
	return status
}

func umask(s *shell, words []string) int {
	if len(words) < 2 {
		fmt.Fprintf(s.process.Stdout, "%04o\n", uint32(s.process.Umask))
		return 0
	}
	mask, err := strconv.ParseUint(words[1], 8, 9)
	if err != nil {
		s.complain("umask: illegal mode: %s", words[1])
		return 1
	}
	s.process.Umask = fsMode(mask)
	return 0
}

// declare is export, readonly, local and declare.
func (s *shell) declare(c *syntax.DeclClause) {
	s.status = 0
	for _, a := range c.Args {
		if a.Naked && a.Name == nil {
			continue // an option
		}
		name := a.Name.Value
		if !a.Naked && !s.assign(a, false) {
			return
		}
		v := s.variables[name]
		v.Exported = v.Exported || c.Variant.Value == "export"
		v.ReadOnly = v.ReadOnly || c.Variant.Value == "readonly"
		s.variables[name] = v
	}
}

func printFormat(s *shell, words []string) int {
	if len(words) < 2 {
		s.complain("usage: printf FORMAT [ARG]...")
		return codeUsage
	}
	out := bufio.NewWriter(s.process.Stdout)
	defer out.Flush()
	for arguments := words[2:]; ; {
		text, n, err := expand.Format(s.config(), words[1], arguments)
		if err != nil {
			s.complain("printf: %v", err)
			return 1
		}
		if _, err := io.WriteString(out, text); err != nil {
			return 1
		}
		if arguments = arguments[min(n, len(arguments)):]; n == 0 || len(arguments) == 0 {
			return 0
		}
	}
}

var errTest = errors.New("syntax error in test")
