package law_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/law"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/simtest/golden"
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

// TestTheTable holds that each time of the table has a sentence, a page and a wait.
func TestTheTable(t *testing.T) {
	for _, field := range law.Fields {
		if !strings.HasSuffix(field.Sentence, ".") || !strings.HasPrefix(field.Page, "https://kubernetes.io/docs/") {
			t.Errorf("%s: sentence %q, page %q", field.Path, field.Sentence, field.Page)
		}
		if field.Waits == "" || field.From == "" {
			t.Errorf("%s: nothing waits for it", field.Path)
		}
	}
}

// TestReferenceIsFresh keeps docs/reference/laws.md as the table says.
func TestReferenceIsFresh(t *testing.T) {
	var out strings.Builder
	out.WriteString(lawsHead)
	for _, field := range law.Fields {
		length, notes := "-", []string{}
		if field.Default > 0 {
			length = law.Seconds(field.Default)
		}
		if field.Races {
			notes = append(notes, "decides")
		}
		if field.Repeats {
			notes = append(notes, "any number of times")
		}
		fmt.Fprintf(&out, "| %s | `%s` | [%s](%s) | %s | %s |\n", field.Objects(), field.Path, field.Sentence, field.Page, length,
			strings.Join(notes, ", "))
	}
	golden.Page(t, "../../../docs/reference/laws.md", "scenarios/explore/law", out.String())
}

// TestChangeEachTime changes each time of a scenario that has many, and reads it again.
func TestChangeEachTime(t *testing.T) {
	const path = "testdata/many.yaml"
	scenario, err := format.Load(path, verb.All)
	if err != nil {
		t.Fatal(err)
	}
	times, err := law.Find(scenario)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, time := range times {
		fmt.Fprintf(&out, "%s %s default=%v\n", time, law.Seconds(time.Value), time.Default)
	}
	golden.Compare(t, "testdata/many.txt", out.String())
	for _, changed := range times {
		text, err := changed.Change(scenario, times, 2*changed.Value)
		if err != nil {
			t.Fatal(err)
		}
		again, err := format.Parse(path, text, verb.All)
		if err != nil {
			t.Fatalf("%s: %v\n%s", changed, err, text)
		}
		found, err := law.Find(again)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(found, func(other *law.Time) bool { return other.String() == changed.String() })
		if len(found) != len(times) || i < 0 || found[i].Value != 2*changed.Value || found[i].Default {
			t.Errorf("%s is not %s in\n%s", changed, 2*changed.Value, text)
		}
		for j, other := range found {
			if j < len(times) && other.String() != changed.String() && other.Value != times[j].Value && other.String() == times[j].String() {
				t.Errorf("%s changes %s, too", changed, other)
			}
		}
	}
}
