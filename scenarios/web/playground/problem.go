package playground

import (
	"errors"
	"fmt"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/engine"
)

// Problem is what is wrong at a place of a scenario. Line and Column count from 1; they are 0 for the whole text.
type Problem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
	Try     string `json:"try,omitempty"`
	// Severity is Mistake or Warning.
	Severity string `json:"severity"`
}

// The severities.
const (
	Mistake = "error"
	Warning = "warning"
)

// Failure is an error that ends a request: what happened, and what helps.
type Failure struct {
	Message string `json:"message"`
	Try     string `json:"try,omitempty"`
	// Problems are the places of the scenario, if it is at fault.
	Problems []Problem `json:"errors,omitempty"`
}

// Error implements error.
func (f *Failure) Error() string { return f.Message }

// FailureOf describes an error.
func FailureOf(err error) *Failure {
	var failure *Failure
	if errors.As(err, &failure) {
		return failure
	}
	if problems := problemsOf(err, Mistake); len(problems) > 0 {
		first := problems[0]
		message := first.Message
		if first.Line > 0 {
			message = fmt.Sprintf("line %d: %s", first.Line, first.Message)
		}
		return &Failure{Message: message, Try: first.Try, Problems: problems}
	}
	const report = "report this with the scenario and its seed"
	var fault *controllers.Error
	var panicked *engine.PanicError
	switch {
	case errors.As(err, &fault) && fault.Try != "":
		return &Failure{Message: fault.Error() + "\n" + string(fault.Stack), Try: fault.Try}
	case errors.As(err, &fault):
		return &Failure{Message: "internal fault: " + fault.Error() + "\n" + string(fault.Stack), Try: report}
	case errors.As(err, &panicked):
		return &Failure{Message: "internal fault: " + panicked.Error() + "\n" + string(panicked.Stack), Try: report}
	}
	return &Failure{Message: err.Error(), Try: report}
}

// problemsOf are the places that an error is about, each once; none if it is not about the scenario.
func problemsOf(err error, severity string) []Problem {
	var list source.ErrorList
	var one *source.Error
	switch {
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = source.ErrorList{one}
	}
	problems, seen := []Problem{}, map[source.Position]bool{}
	for _, e := range list {
		if e.Line > 0 && seen[e.Position] {
			continue
		}
		seen[e.Position] = true
		message := e.Message
		if e.Path != "" {
			message = e.Path + ": " + message
		}
		problems = append(problems, Problem{e.Line, e.Column, message, e.Try, severity})
	}
	return problems
}
