// Package script is sh for the containers of a simulation. mvdan.cc/sh parses scripts and expands words; what they do is done here, since a
// process of a simulation has no operating system below it: commands are Go functions, pipes are in memory, and waiting takes virtual
// time.
//
// The shell is that of busybox as far as scripts of containers use it: pipelines, lists, loops, conditions, functions, subshells,
// redirection, here-documents, background commands, traps of TERM and EXIT, and the built-in commands of the table in builtin.go. It is
// never interactive.
package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// The exit codes of commands that do not run.
const (
	codeUsage    = 2
	codeNotFound = 127
	codeKilled   = 137
)

// Find finds a command by the last part of its name; nil means that there is none.
type Find func(name string) oci.Main

// Main returns sh: it runs the script after the option -c, a file, or its standard input.
func Main(find Find) oci.Main {
	return func(p *oci.Process) int {
		s := &shell{
			process: *p, find: find, name: p.Args[0], variables: map[string]expand.Variable{}, functions: map[string]*syntax.Stmt{},
			traps: map[string]string{}, jobs: &jobs{},
		}
		for _, variable := range p.Env {
			name, value, _ := strings.Cut(variable, "=")
			s.variables[name] = expand.Variable{Set: true, Exported: true, Kind: expand.String, Str: value}
		}
		script, err := s.script(p.Args[1:])
		if err != nil {
			s.complain("%v", err)
			return codeUsage
		}
		return s.main(script)
	}
}

// shell is one shell. A subshell is a copy.
type shell struct {
	// process has the files to which redirections lead, and the working directory.
	process   oci.Process
	find      Find
	name      string
	arguments []string
	variables map[string]expand.Variable
	functions map[string]*syntax.Stmt
	// traps are the scripts to run at TERM and EXIT.
	traps map[string]string
	jobs  *jobs
	// status is that of the last command, and last the one before a built-in command that runs.
	status, last int
	// leaves says that commands are left out, up to what it leaves: loops, a function, or the shell.
	leaves leave
	// loops is how many loops break and continue leave.
	loops int
	// options of the command set.
	exitOnError, noUnset, trace, pipefail bool
	// condition means that a status other than zero does not end the shell.
	condition int
	// subshell means that traps are not its own, and terminated that TERM was seen.
	subshell, terminated bool
}

// leave is what a command leaves.
type leave int

const (
	leavesNothing leave = iota
	leavesLoop
	continuesLoop
	leavesFunction
	leavesShell
)

// script reads what to run, and sets the arguments.
func (s *shell) script(arguments []string) (string, error) {
	fromText := false
	for len(arguments) > 0 && len(arguments[0]) > 1 && strings.ContainsAny(arguments[0][:1], "-+") {
		word := arguments[0]
		arguments = arguments[1:]
		if word == "--" {
			break
		}
		if letters := strings.TrimPrefix(word, "-"); strings.Contains(letters, "c") {
			fromText, word = true, "-"+strings.ReplaceAll(letters, "c", "")
		}
		if err := s.set(word); err != nil {
			return "", err
		}
	}
	switch {
	case fromText && len(arguments) == 0:
		return "", errors.New("-c requires an argument")
	case fromText:
		text := arguments[0]
		if s.arguments = arguments[1:]; len(s.arguments) > 0 {
			s.name, s.arguments = s.arguments[0], s.arguments[1:]
		}
		return text, nil
	case len(arguments) > 0:
		s.name, s.arguments = arguments[0], arguments[1:]
		text, err := s.process.ReadFile(s.name)
		return string(text), err
	}
	text, err := io.ReadAll(s.process.Stdin)
	return string(text), err
}

// main runs a script and the trap of EXIT.
func (s *shell) main(script string) int {
	s.run(script)
	if trap, found := s.traps["EXIT"]; found && s.process.Context.Err() == nil {
		status := s.status
		delete(s.traps, "EXIT")
		s.leaves = leavesNothing
		s.run(trap)
		if s.leaves != leavesShell {
			s.status = status
		}
	}
	if s.process.Context.Err() != nil {
		return codeKilled
	}
	return s.status
}

// run runs the commands of a text, one after the other: those before an error are run.
func (s *shell) run(text string) {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	err := parser.Stmts(strings.NewReader(text), func(statement *syntax.Stmt) bool {
		s.statement(statement)
		return s.continues()
	})
	if err != nil && s.continues() {
		s.complain("syntax error: %v", err)
		s.status, s.leaves = codeUsage, leavesShell
	}
}

// continues reports whether the next command is run.
func (s *shell) continues() bool { return s.leaves == leavesNothing && s.process.Context.Err() == nil }

// complain writes an error as busybox does.
func (s *shell) complain(format string, values ...any) {
	fmt.Fprintf(s.process.Stderr, "%s: %s\n", s.name, fmt.Sprintf(format, values...))
}

// sub returns a subshell.
func (s *shell) sub() *shell {
	other := *s
	other.variables, other.functions = maps.Clone(s.variables), maps.Clone(s.functions)
	other.traps, other.jobs = map[string]string{}, &jobs{commands: s.jobs.commands}
	other.subshell = true
	return &other
}

// busy is how many commands a shell runs before it gives way: without that, a loop without a sleep would keep virtual time from passing.
const (
	busy     = 1000
	givesWay = time.Millisecond
)

// tick counts a command, and runs the trap of TERM after it.
func (s *shell) tick() {
	if s.jobs.commands++; s.jobs.commands%busy == 0 {
		s.process.Sleep(givesWay)
	}
	select {
	case <-s.process.Terminated:
	default:
		return
	}
	trap, found := s.traps["TERM"]
	if !found || s.terminated || s.subshell {
		return
	}
	s.terminated = true
	status := s.status
	s.run(trap)
	if s.leaves != leavesShell {
		s.status = status
	}
}

// jobs are the commands that a shell has started in the background.
type jobs struct {
	started  []*job
	commands int
}

type job struct {
	number int
	kill   context.CancelFunc
	ended  chan struct{}
	status int
}

// firstJob is the process identifier of the first background command.
const firstJob = 100

// background starts a statement.
func (s *shell) background(statement *syntax.Stmt) {
	other := s.sub()
	ctx, kill := context.WithCancel(s.process.Context)
	other.process.Context, other.process.Stdin = ctx, strings.NewReader("")
	j := &job{number: firstJob + len(s.jobs.started), kill: kill, ended: make(chan struct{})}
	s.jobs.started = append(s.jobs.started, j)
	foreground := *statement
	foreground.Background = false
	go func() {
		defer close(j.ended)
		defer kill()
		other.statement(&foreground)
		j.status = other.status
	}()
	s.status = 0
}

// config is how words are expanded.
func (s *shell) config() *expand.Config {
	return &expand.Config{
		Env: environment{s}, NoUnset: s.noUnset, ReadDir2: s.readDir,
		CmdSubst: func(w io.Writer, c *syntax.CmdSubst) error {
			other := s.sub()
			other.process.Stdout = w
			other.statements(c.Stmts)
			s.status = other.status
			s.jobs.commands = other.jobs.commands
			return nil
		},
	}
}

func (s *shell) readDir(name string) ([]fs.DirEntry, error) {
	return s.process.Container.Files.ReadDir(s.process.Path(name))
}

// environment are the variables and parameters of a shell. It implements expand.WriteEnviron.
type environment struct{ *shell }

func text(value string) expand.Variable {
	return expand.Variable{Set: true, Kind: expand.String, Str: value}
}

// Get implements expand.Environ.
func (e environment) Get(name string) expand.Variable {
	switch name {
	case "?":
		return text(fmt.Sprint(e.status))
	case "$":
		return text("1")
	case "!":
		if n := len(e.jobs.started); n > 0 {
			return text(fmt.Sprint(e.jobs.started[n-1].number))
		}
		return expand.Variable{}
	case "#":
		return text(fmt.Sprint(len(e.arguments)))
	case "@", "*":
		return expand.Variable{Set: true, Kind: expand.Indexed, List: e.arguments}
	case "0":
		return text(e.name)
	case "-":
		return text("")
	case "PWD":
		return text(e.process.Dir)
	case "RANDOM":
		return text(fmt.Sprint(e.process.Container.NewID("RANDOM") % (1 << 15)))
	}
	if n := position(name); n > 0 {
		if n <= len(e.arguments) {
			return text(e.arguments[n-1])
		}
		return expand.Variable{}
	}
	if strings.Contains(name, " ") { // the home of another user: expand would ask the machine
		return text("/")
	}
	return e.variables[name]
}

// position is the number of a positional parameter; 0 for other names.
func position(name string) (n int) {
	for _, r := range name {
		if r < '0' || r > '9' {
			return 0
		}
		n = n*10 + int(r-'0')
	}
	return n
}

// Each implements expand.Environ.
func (e environment) Each(do func(string, expand.Variable) bool) {
	for _, name := range slices.Sorted(maps.Keys(e.variables)) {
		if !do(name, e.variables[name]) {
			return
		}
	}
}

// Set implements expand.WriteEnviron.
func (e environment) Set(name string, v expand.Variable) error {
	before := e.variables[name]
	if before.ReadOnly {
		return fmt.Errorf("%s: is read only", name)
	}
	if !v.IsSet() {
		delete(e.variables, name)
		return nil
	}
	if v.Kind == expand.KeepValue {
		v.Kind, v.Str, v.List, v.Set = before.Kind, before.Str, before.List, before.Set
	}
	v.Exported = v.Exported || before.Exported
	e.variables[name] = v
	return nil
}

// exported is the environment of commands.
func (s *shell) exported() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(s.variables)) {
		if v := s.variables[name]; v.Exported && v.IsSet() {
			all = append(all, name+"="+v.String())
		}
	}
	return all
}

// opens are the flags with which a redirection opens a file.
var opens = map[syntax.RedirOperator]int{
	syntax.RdrIn: os.O_RDONLY, syntax.RdrInOut: os.O_RDWR | os.O_CREATE,
	syntax.RdrOut: os.O_WRONLY | os.O_CREATE | os.O_TRUNC, syntax.RdrClob: os.O_WRONLY | os.O_CREATE | os.O_TRUNC,
	syntax.AppOut: os.O_WRONLY | os.O_CREATE | os.O_APPEND,
	syntax.RdrAll: os.O_WRONLY | os.O_CREATE | os.O_TRUNC, syntax.AppAll: os.O_WRONLY | os.O_CREATE | os.O_APPEND,
}
