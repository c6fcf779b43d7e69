package runner

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestSchedulers runs scripts about the process of kube-scheduler: its configuration, crashes, leases and faults. The input is the
// body of a scenario, and the output is the run as text, or what is wrong with the scenario.
func TestSchedulers(t *testing.T) {
	datadriven.Walk(t, "testdata/schedulers", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: s}\nspec:\n  title: t\n  horizon: 1m\n  " +
				strings.ReplaceAll(d.Input, "\n", "\n  ") + "\n"
			scenario, err := format.Parse("s.yaml", []byte(text), verb.All)
			if err != nil {
				return mistakes(err)
			}
			var out strings.Builder
			const width = 130
			lines := trace.NewText(&out, trace.TextOptions{Width: width})
			outcome, err := Run(scenario, RunOptions{Sinks: []trace.Sink{func(record *trace.Record, _ []byte) {
				if err := lines.Write(record); err != nil {
					t.Error(err)
				}
			}}})
			if err != nil {
				return mistakes(err)
			}
			if err := lines.Close(); err != nil {
				t.Error(err)
			}
			return out.String() + outcome.Result + "\n"
		})
	})
}
