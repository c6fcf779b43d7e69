// Package future gives the rest of a run other seeds than the scenario does, as the flag --future asks for: the file of the scenario gets
// them as spec.futures.
package future

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Flag is the name of the flag, and Usage what it does.
const (
	Flag  = "future"
	Usage = "from a virtual time, a record or a CEL condition on, run with another seed: `FROM:SEED`, such as 5.15s:42"
)

// try is what the value of the flag looks like.
const try = "--" + Flag + " 5.15s:42"

// parse reads values of the flag.
func parse(texts []string) ([]format.Future, error) {
	var futures []format.Future
	for _, text := range texts {
		colon := strings.LastIndexByte(text, ':')
		if colon <= 0 {
			return nil, cli.Usage(fmt.Sprintf("--%s %q is not a virtual time and a seed", Flag, text), try)
		}
		seed, err := strconv.ParseInt(text[colon+1:], 10, 64)
		if err != nil {
			return nil, cli.Usage(fmt.Sprintf("--%s %q: %q is not a seed", Flag, text, text[colon+1:]), try)
		}
		futures = append(futures, begins(text[:colon], seed))
	}
	return futures, nil
}

// Args are the arguments that give a command the values of the flag.
func Args(values []string) (args []string) {
	for _, value := range values {
		args = append(args, "--"+Flag, value)
	}
	return args
}

// Add adds the futures in the values of the flag to those of a scenario. A mistake in them is a *cli.UsageError.
func Add(scenario *format.Scenario, flags []string) (*format.Scenario, error) {
	futures, err := parse(flags)
	if err != nil || len(futures) == 0 {
		return scenario, err
	}
	return add(scenario, futures, "--"+Flag+" "+flags[len(flags)-1])
}

// At adds one future, which begins at a place: a virtual time, the number of a record, or a CEL condition. A mistake is a *cli.UsageError
// about the flag --at.
func At(scenario *format.Scenario, place string, seed int64) (*format.Scenario, error) {
	return add(scenario, []format.Future{begins(place, seed)}, "--at "+place)
}

// Place says where At begins a future: record 412, or the place itself.
func Place(place string) string {
	if begins(place, 0).Record != nil {
		return "record " + place
	}
	return place
}

// begins is a future from a place on. What is neither a virtual time nor a number is a condition.
func begins(place string, seed int64) format.Future {
	if at, err := notation.ParseDuration(place); err == nil {
		return format.Future{From: &at, Seed: seed}
	}
	if record, err := strconv.ParseInt(place, 10, 64); err == nil {
		return format.Future{Record: &record, Seed: seed}
	}
	return format.Future{When: place, Seed: seed}
}

// add adds futures to those of a scenario. given are the words of the command line.
func add(scenario *format.Scenario, futures []format.Future, given string) (*format.Scenario, error) {
	futures = slices.Concat(scenario.Spec.Futures, futures)
	text, err := format.Edit(scenario, func(spec *yaml.Node) error {
		var node yaml.Node
		if err := node.Encode(futures); err != nil {
			return err
		}
		format.SetField(spec, "futures", &node)
		return nil
	})
	if err != nil {
		return nil, err
	}
	edited, err := format.Parse(scenario.Path(), text, verb.All)
	if err == nil {
		err = runner.Expressions(edited)
	}
	var wrong source.ErrorList
	if errors.As(err, &wrong) {
		return nil, cli.Usage(given+": "+wrong[0].Message, wrong[0].Try)
	}
	return edited, err
}
