package runner

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// TestDefinitions runs scripts whose input is the body of a scenario with custom resources. The output is the verdict, or what is
// wrong.
func TestDefinitions(t *testing.T) {
	datadriven.Walk(t, "testdata/definitions", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: s}\nspec:\n" +
				"  title: t\n  horizon: 30s\n  kubernetes: {controllers: [namespace-controller]}\n  " +
				strings.ReplaceAll(d.Input, "\n", "\n  ") + "\n"
			scenario, err := format.Parse("s.yaml", []byte(text), verb.All)
			if err != nil {
				return mistakes(err)
			}
			outcome, err := Run(scenario, RunOptions{})
			if err != nil {
				return mistakes(err)
			}
			return outcome.Result + "\n"
		})
	})
}

// mistakes are errors with their suggestions.
func mistakes(err error) string {
	var list source.ErrorList
	var single *source.Error
	switch {
	case errors.As(err, &list):
	case errors.As(err, &single):
		list = source.ErrorList{single}
	default:
		return err.Error() + "\n"
	}
	var text strings.Builder
	for _, e := range list {
		fmt.Fprintf(&text, "%s\n  Try: %s\n", e, e.Try)
	}
	return text.String()
}
