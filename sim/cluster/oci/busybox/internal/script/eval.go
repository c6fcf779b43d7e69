package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

func (s *shell) statements(all []*syntax.Stmt) {
	for _, statement := range all {
		if !s.continues() {
			return
		}
		s.statement(statement)
	}
}

// statement runs one statement with its redirections.
func (s *shell) statement(statement *syntax.Stmt) {
	if statement.Background {
		s.background(statement)
		return
	}
	stdin, stdout, stderr := s.process.Stdin, s.process.Stdout, s.process.Stderr
	closes, err := s.redirect(statement.Redirs)
	if err == nil {
		if statement.Negated {
			s.condition++
		}
		s.command(statement.Cmd)
	} else {
		s.complain("%v", err)
		s.status = 1
	}
	for _, file := range closes {
		_ = file.Close()
	}
	if call, isCall := statement.Cmd.(*syntax.CallExpr); !isCall || !s.isExec(call) || err != nil {
		s.process.Stdin, s.process.Stdout, s.process.Stderr = stdin, stdout, stderr
	}
	if statement.Negated {
		s.condition--
		s.status = code(s.status != 0)
	}
	if _, isList := statement.Cmd.(*syntax.BinaryCmd); s.exitOnError && s.status != 0 && s.condition == 0 && !statement.Negated &&
		!isList && s.leaves == leavesNothing {
		s.leaves = leavesShell
	}
	s.tick()
}

// isExec reports whether a command is exec without a command, whose redirections remain.
func (s *shell) isExec(call *syntax.CallExpr) bool {
	return len(call.Args) == 1 && call.Args[0].Lit() == "exec"
}

func code(success bool) int {
	if success {
		return 0
	}
	return 1
}

// command runs a command of any kind.
func (s *shell) command(command syntax.Command) {
	switch c := command.(type) {
	case nil:
		s.status = 0
	case *syntax.CallExpr:
		s.call(c)
	case *syntax.Block:
		s.statements(c.Stmts)
	case *syntax.Subshell:
		other := s.sub()
		other.statements(c.Stmts)
		s.status, s.jobs.commands = other.status, other.jobs.commands
	case *syntax.BinaryCmd:
		s.binary(c)
	case *syntax.IfClause:
		s.branch(c)
	case *syntax.WhileClause:
		s.loop(func() bool { return s.holds(c.Cond) != c.Until }, c.Do)
	case *syntax.ForClause:
		s.each(c)
	case *syntax.CaseClause:
		s.choose(c)
	case *syntax.FuncDecl:
		s.functions[c.Name.Value], s.status = c.Body, 0
	case *syntax.TestClause:
		s.status = code(s.extendedTest(c.X))
	case *syntax.ArithmCmd:
		n, err := expand.Arithm(s.config(), c.X)
		s.status = code(n != 0)
		s.fails(err)
	case *syntax.DeclClause:
		s.declare(c)
	default:
		s.complain("%T is not supported", command)
		s.status, s.leaves = codeUsage, leavesShell
	}
}

// fails ends the shell if a word cannot be expanded, as POSIX says.
func (s *shell) fails(err error) bool {
	if err == nil {
		return false
	}
	s.complain("%v", err)
	s.status, s.leaves = codeUsage, leavesShell
	return true
}

// holds runs a condition.
func (s *shell) holds(statements []*syntax.Stmt) bool {
	s.condition++
	s.statements(statements)
	s.condition--
	return s.status == 0 && s.continues()
}

// binary runs a list or a pipeline.
func (s *shell) binary(c *syntax.BinaryCmd) {
	switch c.Op {
	case syntax.AndStmt, syntax.OrStmt:
		s.condition++
		s.statement(c.X)
		s.condition--
		if s.continues() && (s.status == 0) == (c.Op == syntax.AndStmt) {
			s.statement(c.Y)
		}
	default:
		s.pipe(c)
	}
}

// pipe runs the commands of a pipeline, each in a subshell. A command that writes to one that has ended is killed, as by SIGPIPE.
func (s *shell) pipe(c *syntax.BinaryCmd) {
	from, to := io.Pipe()
	left, right := s.sub(), s.sub()
	left.process.Stdout = to
	if c.Op == syntax.PipeAll {
		left.process.Stderr = to
	}
	var kill context.CancelFunc
	left.process.Context, kill = context.WithCancel(s.process.Context)
	right.process.Stdin = from
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer to.Close()
		left.statement(c.X)
	}()
	right.statement(c.Y)
	_ = from.Close()
	kill()
	<-done
	if s.status = right.status; s.pipefail && s.status == 0 {
		s.status = left.status
	}
	s.jobs.commands = max(left.jobs.commands, right.jobs.commands)
}

func (s *shell) branch(c *syntax.IfClause) {
	for ; c != nil; c = c.Else {
		if c.Cond == nil || s.holds(c.Cond) {
			s.status = 0
			s.statements(c.Then)
			return
		}
		if !s.continues() {
			return
		}
	}
	s.status = 0
}

// loop runs statements while a condition holds.
func (s *shell) loop(condition func() bool, do []*syntax.Stmt) {
	status := 0
	for condition() {
		s.statements(do)
		s.tick()
		status = s.status
		if s.process.Context.Err() != nil || !s.repeats() {
			break
		}
	}
	if s.leaves == leavesNothing {
		s.status = status
	}
}

// repeats reports whether a loop continues after what has left its commands.
func (s *shell) repeats() bool {
	switch s.leaves {
	case leavesLoop:
		if s.loops--; s.loops == 0 {
			s.leaves = leavesNothing
		}
		return false
	case continuesLoop:
		if s.loops--; s.loops > 0 {
			return false
		}
		s.leaves = leavesNothing
	}
	return s.leaves == leavesNothing
}

// each runs a for loop.
func (s *shell) each(c *syntax.ForClause) {
	switch of := c.Loop.(type) {
	case *syntax.WordIter:
		words := s.arguments
		if of.InPos.IsValid() || len(of.Items) > 0 {
			var err error
			if words, err = expand.Fields(s.config(), of.Items...); s.fails(err) {
				return
			}
		}
		s.loop(func() bool {
			if len(words) == 0 {
				return false
			}
			_ = environment{s}.Set(of.Name.Value, text(words[0]))
			words = words[1:]
			return true
		}, c.Do)
	case *syntax.CStyleLoop:
		step := func(e syntax.ArithmExpr) int {
			if e == nil {
				return 1
			}
			n, err := expand.Arithm(s.config(), e)
			if s.fails(err) {
				return 0
			}
			return n
		}
		step(of.Init)
		first := true
		s.loop(func() bool {
			if !first {
				step(of.Post)
			}
			first = false
			return step(of.Cond) != 0 && s.continues()
		}, c.Do)
	}
}

func (s *shell) choose(c *syntax.CaseClause) {
	word, err := expand.Literal(s.config(), c.Word)
	if s.fails(err) {
		return
	}
	s.status = 0
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			glob, err := expand.Pattern(s.config(), p)
			if s.fails(err) {
				return
			}
			if matches(glob, word) {
				s.statements(item.Stmts)
				return
			}
		}
	}
}

// matches reports whether a pattern matches a word as a whole.
func matches(glob, word string) bool {
	text, err := pattern.Regexp(glob, pattern.EntireString)
	if err != nil {
		return false
	}
	matched, err := regexp.MatchString(text, word)
	return err == nil && matched
}

// call runs a simple command.
func (s *shell) call(c *syntax.CallExpr) {
	s.last = s.status
	words, err := expand.Fields(s.config(), c.Args...)
	if s.fails(err) {
		return
	}
	if s.trace && len(words) > 0 {
		fmt.Fprintln(s.process.Stderr, "+ "+strings.Join(words, " "))
	}
	before := map[string]expand.Variable{}
	for _, a := range c.Assigns {
		before[a.Name.Value] = s.variables[a.Name.Value]
		if !s.assign(a, len(words) > 0) {
			return
		}
	}
	if len(words) == 0 {
		if !substitutes(c) {
			s.status = 0
		}
		return
	}
	s.invoke(words)
	for name, variable := range before {
		if s.variables[name] = variable; !variable.IsSet() {
			delete(s.variables, name)
		}
	}
}

// substitutes reports whether the status of a command without words is that of a command in its assignments.
func substitutes(c *syntax.CallExpr) (found bool) {
	syntax.Walk(c, func(n syntax.Node) bool {
		_, is := n.(*syntax.CmdSubst)
		found = found || is
		return !found
	})
	return found
}

// assign sets a variable. export means that it is one of a command.
func (s *shell) assign(a *syntax.Assign, export bool) bool {
	value := ""
	if a.Value != nil {
		var err error
		if value, err = expand.Literal(s.config(), a.Value); s.fails(err) {
			return false
		}
	}
	if a.Append {
		value = s.variables[a.Name.Value].String() + value
	}
	v := text(value)
	if a.Array != nil {
		var words []*syntax.Word
		for _, element := range a.Array.Elems {
			words = append(words, element.Value)
		}
		list, err := expand.Fields(s.config(), words...)
		if s.fails(err) {
			return false
		}
		v = expand.Variable{Set: true, Kind: expand.Indexed, List: list}
	}
	v.Exported = export
	return !s.fails(environment{s}.Set(a.Name.Value, v))
}

// invoke runs a function, a built-in command, or another one.
func (s *shell) invoke(words []string) {
	if body := s.functions[words[0]]; body != nil {
		arguments := s.arguments
		s.arguments = words[1:]
		s.statement(body)
		s.arguments = arguments
		if s.leaves == leavesFunction {
			s.leaves = leavesNothing
		}
		return
	}
	if own := builtins[words[0]]; own != nil {
		s.status = own(s, words)
		return
	}
	s.status = s.execute(words)
}

// execute runs a command that is none of the shell's.
func (s *shell) execute(words []string) int {
	other := s.process
	other.Args, other.Env = words, s.exported()
	main := s.find(path.Base(words[0]))
	if main == nil {
		return s.runScript(&other)
	}
	status := main(&other)
	if s.process.Context.Err() != nil {
		return codeKilled
	}
	return status
}

// runScript runs a command that is a file with a script.
func (s *shell) runScript(p *oci.Process) int {
	name := p.Args[0]
	if !strings.Contains(name, "/") {
		s.complain("%s: not found", name)
		return codeNotFound
	}
	if _, err := p.ReadFile(name); err != nil {
		s.complain("%s: not found", name)
		return codeNotFound
	}
	p.Args = append([]string{"sh"}, p.Args...)
	return Main(s.find)(p)
}

// redirect opens the files of redirections. Those to close are returned.
func (s *shell) redirect(all []*syntax.Redirect) (closes []io.Closer, err error) {
	for _, r := range all {
		if r.Hdoc != nil || r.Op == syntax.WordHdoc {
			of := r.Hdoc
			if r.Op == syntax.WordHdoc {
				of = r.Word
			}
			document, err := expand.Document(s.config(), of)
			if err != nil {
				return closes, err
			}
			if r.Op == syntax.WordHdoc {
				document += "\n"
			}
			s.process.Stdin = strings.NewReader(document)
			continue
		}
		word, err := expand.Literal(s.config(), r.Word)
		if err != nil {
			return closes, err
		}
		descriptor := map[syntax.RedirOperator]string{syntax.RdrIn: "0", syntax.RdrInOut: "0", syntax.DplIn: "0"}[r.Op]
		if descriptor == "" {
			descriptor = "1"
		}
		if r.N != nil {
			descriptor = r.N.Value
		}
		if r.Op == syntax.DplOut || r.Op == syntax.DplIn {
			if err := s.duplicate(descriptor, word); err != nil {
				return closes, err
			}
			continue
		}
		file, err := s.process.Open(word, opens[r.Op], 0o666)
		if err != nil {
			return closes, openError(r.Op, word, err)
		}
		closes = append(closes, file)
		if r.Op == syntax.RdrAll || r.Op == syntax.AppAll {
			s.process.Stdout, s.process.Stderr = file, file
			continue
		}
		switch descriptor {
		case "0":
			s.process.Stdin = file
		case "1":
			s.process.Stdout = file
		case "2":
			s.process.Stderr = file
		default:
			return closes, fmt.Errorf("%s: bad file descriptor", descriptor)
		}
	}
	return closes, nil
}

// openError is what busybox says about a file that cannot be opened.
func openError(op syntax.RedirOperator, name string, err error) error {
	verb := "create"
	if op == syntax.RdrIn {
		verb = "open"
	}
	return fmt.Errorf("can't %s %s: %s", verb, name, oci.Problem(err))
}

var errDescriptor = errors.New("bad file descriptor")

// duplicate makes a descriptor lead to where another one leads.
func (s *shell) duplicate(descriptor, to string) error {
	switch {
	case to == "-" && descriptor == "0":
		s.process.Stdin = strings.NewReader("")
	case to == "-" && descriptor == "1":
		s.process.Stdout = io.Discard
	case to == "-" && descriptor == "2":
		s.process.Stderr = io.Discard
	case descriptor == "2" && to == "1":
		s.process.Stderr = s.process.Stdout
	case descriptor == "1" && to == "2":
		s.process.Stdout = s.process.Stderr
	case descriptor == to && strings.Contains("012", to):
	default:
		return errDescriptor
	}
	return nil
}
