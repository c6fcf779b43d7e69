package space_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// rollout is a plain rolling update without faults.
const rollout = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: rollout}
spec:
  # Ten replicas are updated.
  title: A rolling update
  horizon: 2m
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 10
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
  - at: 30s
    set-image: {target: deployment/web, image: "web:v2"}
`

func prepare(t *testing.T, text string) (*format.Scenario, *runner.Plan) {
	t.Helper()
	scenario, err := format.Parse("rollout.yaml", []byte(text), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	return scenario, plan
}

func named(t *testing.T, names ...string) []space.Space {
	t.Helper()
	spaces, err := space.Named(names)
	if err != nil {
		t.Fatal(err)
	}
	return spaces
}

// TestDraws shows what the first seeds draw for a rolling update:
//
//	draw SPACE... seeds=N
func TestDraws(t *testing.T) {
	_, plan := prepare(t, rollout)
	profile, err := space.Look(plan.Run)
	if err != nil {
		t.Fatal(err)
	}
	datadriven.RunTest(t, "testdata/draws.txt", func(t *testing.T, d *datadriven.TestData) string {
		var seeds int64
		var names []string
		for _, arg := range d.CmdArgs {
			if arg.Key == "seeds" {
				d.ScanArgs(t, "seeds", &seeds)
				continue
			}
			names = append(names, arg.Key)
		}
		var out strings.Builder
		for seed := range seeds {
			for _, line := range space.Draw(named(t, names...), profile, seed+1).Lines() {
				fmt.Fprintf(&out, "%d  %s\n", seed+1, line)
			}
		}
		return out.String()
	})
}

// TestDrawnFaultsAreFiles holds that the file with the faults makes the same run, and that they apply.
func TestDrawnFaultsAreFiles(t *testing.T) {
	scenario, plan := prepare(t, rollout)
	profile, err := space.Look(plan.Run)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range space.All() {
		seed := int64(i + 1)
		drawn := space.Draw([]space.Space{s}, profile, seed)
		outcome, err := drawn.Plan(plan).Run(runner.RunOptions{Seed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		if len(drawn.Rules) == 0 || len(outcome.Warnings) > 0 {
			t.Errorf("%s: drawn %v, warnings %v", s.Name, drawn.Lines(), outcome.Warnings)
		}
		text, err := drawn.Text(scenario)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "# Ten replicas are updated.") {
			t.Errorf("%s: the comment is lost:\n%s", s.Name, text)
		}
		_, written := prepare(t, string(text))
		again, err := written.Run(runner.RunOptions{Seed: &seed})
		if err != nil || again.TraceHash != outcome.TraceHash {
			t.Errorf("%s: the file makes another run (%v):\n%s", s.Name, err, text)
		}
	}
}

// TestUnknownSpace names what was probably meant.
func TestUnknownSpace(t *testing.T) {
	_, err := space.Named([]string{"flaky-api", "stale-cache"})
	unknown, ok := err.(*space.UnknownError)
	if !ok || unknown.Name != "stale-cache" || unknown.Try != "stale-caches" {
		t.Errorf("%#v", err)
	}
}
