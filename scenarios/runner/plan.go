package runner

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/expr"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/sim/kinds"
)

// Open reads a scenario: from a file, or by the name of a shipped one; or it makes one of a dump of a cluster. The error is a
// source.ErrorList.
func Open(name string) (*format.Scenario, error) {
	if snapshot.IsDump(name) {
		scenario, _, err := snapshot.Load(name)
		return scenario, err
	}
	if _, err := os.Stat(name); err == nil || strings.ContainsAny(name, "/.") && !library.Has(name) {
		return format.Load(name, verb.All, Expressions)
	}
	return library.Load(name)
}

// Expressions finds errors in the expressions of a scenario that also has other errors; Prepare compiles the
// expressions of one that has none.
func Expressions(s *format.Scenario) error { return (&Plan{scenario: s}).compile() }

// compile compiles the expressions of the scenario, each of them once. Every mistake is reported, at its own line and
// column of the file.
func (p *Plan) compile() error {
	env, err := expr.NewEnv(p.scenario.Kinds())
	if err != nil {
		return fmt.Errorf("expressions: %w", err)
	}
	p.conditions = map[string]*expr.Condition{}
	var list source.ErrorList
	for _, expression := range p.scenario.Expressions() {
		text, ok := conditionText(p.scenario.Kinds(), expression)
		if !ok {
			continue
		}
		env := env
		if expression.Form == format.ObjectForm {
			if env, err = env.About(p.scenario.Kinds().Named(expression.Resource)); err != nil {
				return err
			}
		}
		condition, err := env.Compile(text)
		if err != nil {
			list = append(list, p.mistake(expression, err))
			continue
		}
		p.conditions[expression.Path] = condition
	}
	return list.Err()
}

// conditionText is the condition in an expression; not ok if it holds none.
func conditionText(table *kinds.Table, expression format.Expression) (text string, ok bool) {
	switch expression.Form {
	case format.WaitForm:
		parsed, err := notation.ParseWait(table, expression.Text)
		return parsed.Condition, err == nil && parsed.Condition != ""
	case format.FromForm:
		if expression.Text == format.FirstAvailable {
			return firstAvailable, true
		}
	}
	return expression.Text, true
}

// mistake places an error of the compiler.
func (p *Plan) mistake(expression format.Expression, err error) *source.Error {
	try := "see " + format.Documentation + "reference/expressions.md"
	if expression.Form == format.FromForm && spelling.Nearest(expression.Text, []string{format.FirstAvailable}) != "" {
		return p.scenario.Errorf(expression.Path, format.FirstAvailable, "%q is not a CEL condition or %s",
			expression.Text, format.FirstAvailable)
	}
	var wrong *expr.CompileError
	if !errors.As(err, &wrong) || !p.scenario.Has(expression.Path) {
		return p.scenario.Errorf(expression.Path, try, "%v", err)
	}
	line, column := wrong.Line, wrong.Column
	if expression.Form == format.WaitForm {
		// ParseWait cuts the space around the condition off.
		space := expression.Text[:len(expression.Text)-len(strings.TrimLeft(expression.Text, " \t\n"))]
		if line == 1 {
			column += len(space) - 1 - strings.LastIndexByte(space, '\n')
		}
		line += strings.Count(space, "\n")
	}
	at := p.scenario.TextPosition(expression.Path, line, column)
	return p.scenario.Place(source.Problem(try, "%s", wrong.Message), expression.Path, at)
}

// fresh are the conditions for one more run: each remembers how far it has read the trace of its run.
func (p *Plan) fresh() map[string]*expr.Condition {
	conditions := map[string]*expr.Condition{}
	for path, condition := range p.conditions {
		conditions[path] = condition.Fresh()
	}
	return conditions
}
