package playground

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/runner/task"
	"github.com/kubestep/kubestep/sim/engine"
)

// written is the name of a scenario of the reader's own in errors.
const written = "scenario.yaml"

// sizeMax bounds a scenario that is written in the page: a browser has less memory than the machine.
const sizeMax = 1 << 20

// read reads a scenario that is written in the page.
func read(text string) (*format.Scenario, error) {
	if err := bounded(text); err != nil {
		return nil, err
	}
	return format.Parse(written, []byte(text), verb.All, runner.Expressions)
}

// parsed reads the session of a task that is written in the page.
func parsed(text string) (*task.Session, error) {
	if err := bounded(text); err != nil {
		return nil, err
	}
	return task.Parse(text)
}

// bounded refuses a text that is too long.
func bounded(text string) error {
	if len(text) > sizeMax {
		return &Failure{
			Message: fmt.Sprintf("the scenario has %d bytes, more than %d", len(text), sizeMax), Try: "a shorter scenario",
		}
	}
	return nil
}

// shipped reads a scenario that comes with kubestep.
func shipped(name string) (*format.Scenario, error) { return library.Load(name) }

// Validate finds what is wrong with a scenario, as kubestep validate does: it starts the controllers, without the steps. ok
// means that the scenario can be run; there may be warnings then.
func Validate(text string) (problems []Problem, ok bool) {
	mistakes := func(err error) ([]Problem, bool) {
		failure := FailureOf(err)
		if len(failure.Problems) == 0 {
			failure.Problems = []Problem{{Message: failure.Message, Try: failure.Try, Severity: Mistake}}
		}
		return failure.Problems, false
	}
	scenario, _, err := Job{Text: text}.scenario()
	if err != nil {
		return mistakes(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		return mistakes(err)
	}
	warnings, err := plan.Start(runner.RunOptions{Progress: &engine.Progress{}})
	if err != nil {
		return mistakes(err)
	}
	return problemsOf(warnings, Warning), true
}
