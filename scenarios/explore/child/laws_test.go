package child_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/law"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// summaryOf tries the times of a scenario.
func summaryOf(t *testing.T, path string, text []byte) *law.Summary {
	t.Helper()
	scenario, err := format.Parse(path, text, verb.All)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	maker := child.Maker{Scenario: scenario, Plan: plan, Run: (*runner.Plan).Run}
	found, err := maker.Times(child.Job{})
	if err != nil {
		t.Fatal(err)
	}
	summary := &law.Summary{Name: scenario.Metadata.Name, Seed: scenario.Spec.Seed}
	for i := range found.Times {
		report, err := maker.Law(child.Job{Seed: scenario.Spec.Seed, Law: i + 1})
		if err != nil {
			t.Fatal(err)
		}
		summary.Findings = append(summary.Findings, report.Finding)
		summary.Runs += report.Runs
	}
	return summary
}

// TestLaws tries the times of small scenarios.
//
//	laws
//	what a scenario does: its spec, without the title
//	----
//	what is known of its times
func TestLaws(t *testing.T) {
	datadriven.RunTest(t, "testdata/laws.txt", func(t *testing.T, d *datadriven.TestData) string {
		text := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: " + d.Cmd + "}\nspec:\n  title: A scenario\n  " + d.Input + "\n"
		var out strings.Builder
		summaryOf(t, d.Cmd+".yaml", []byte(text)).Text(&out)
		summary, _, _ := strings.Cut(out.String(), "  cpu ")
		return strings.ReplaceAll(summary, "\n\n", "\n") + "\n"
	})
}

// healthy are scenarios of healthy clusters in which much waits for times.
var healthy = []string{
	"deployment-long-min-ready", "job-active-deadline", "pod-tolerates-for-a-time", "statefulset-min-ready-seconds", "deployment-on-a-lost-node",
	"autoscaler-at-its-minimum", "job-ttl-0", "node-comes-back",
}

// TestHealthyClustersHold tries the times of healthy clusters: no law is broken.
func TestHealthyClustersHold(t *testing.T) {
	moved := 0
	for _, name := range healthy {
		path := filepath.Join("../../verdict/healthy/testdata", name+".yaml")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		summary := summaryOf(t, path, text)
		moved += summary.Count(law.Holds) + summary.Count(law.Repeats)
		if summary.Count(law.Broken) > 0 {
			var out strings.Builder
			summary.Text(&out)
			t.Errorf("%s:\n%s", name, out.String())
		}
	}
	if moved < len(healthy)/2 {
		t.Errorf("only %d times move anything", moved)
	}
}

// TestARestartBreaksALaw tries the times of a bug of the gallery: a controller that restarts begins to wait for a toleration again.
func TestARestartBreaksALaw(t *testing.T) {
	scenario, err := runner.Open("restart-resets-toleration")
	if err != nil {
		t.Fatal(err)
	}
	summary := summaryOf(t, scenario.Path(), scenario.Source())
	for _, f := range summary.Findings {
		if strings.HasSuffix(f.Path, "tolerationSeconds") {
			half := f.Tries[0]
			if half.Verdict != law.Broken || half.Seeds != 4 || half.Move == nil || half.Move.Times <= half.Waiting {
				t.Errorf("%+v", half)
			}
			return
		}
	}
	t.Error("the scenario has no toleration")
}
