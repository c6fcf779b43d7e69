// Package future gives the rest of a run other seeds than the scenario does, as the flag --future asks for: the file of the scenario gets
// them as spec.futures.
package future

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// Flag is the name of the flag, and Usage what it does.
const (
	Flag  = "future"
	Usage = "from a virtual time on, run with another seed: `FROM:SEED`, such as 5.15s:42"
)

// try is what the value of the flag looks like.
const try = "--" + Flag + " 5.15s:42"

// parse reads values of the flag.
func parse(texts []string) ([]format.Future, error) {
	var futures []format.Future
	for _, text := range texts {
		from, number, found := strings.Cut(text, ":")
		at, err := notation.ParseDuration(from)
		if !found || err != nil {
			return nil, cli.Usage(fmt.Sprintf("--%s %q is not a virtual time and a seed", Flag, text), try)
		}
		seed, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, cli.Usage(fmt.Sprintf("--%s %q: %q is not a seed", Flag, text, number), try)
		}
		futures = append(futures, format.Future{From: at, Seed: seed})
	}
	return futures, nil
}

// Add adds the futures in the values of the flag to those of a scenario.
func Add(scenario *format.Scenario, flags []string) (*format.Scenario, error) {
	futures, err := parse(flags)
	if err != nil || len(futures) == 0 {
		return scenario, err
	}
	futures = append(scenario.Spec.Futures, futures...)
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
	var wrong source.ErrorList
	if errors.As(err, &wrong) {
		return nil, cli.Usage(fmt.Sprintf("--%s %s: %s", Flag, flags[len(flags)-1], wrong[0].Message), wrong[0].Try)
	}
	return edited, err
}
