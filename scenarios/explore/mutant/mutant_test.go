package mutant_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/mutant"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/toolchain/exact/edited"
)

var (
	measure = flag.Bool("mutants", false, "TestMutants runs all mutants, for some minutes, and writes docs/reference/mutants.md")
	only    = flag.String("mutants-only", "", "with -mutants: run the mutants whose names contain this, and write no page")
)

// page is what -mutants writes, and root the folder of all scenarios.
const (
	page = "../../../docs/reference/mutants.md"
	root = "../.."
)

// TestMain lets the test binary run one scenario, so that the program with all mutants is a test binary.
func TestMain(m *testing.M) {
	if file := os.Getenv("MUTANT_TEST"); file != "" {
		notice(file)
		return
	}
	os.Exit(m.Run())
}

// The kinds of what notices a mutant.
const (
	invariants = "invariant"
	goal       = "goal"
	relation   = "relation"
	hot        = "hot"
	diverged   = "diverged"
	step       = "step"
	failure    = "failure"
)

// notices are what noticed that a run is not as it should be, the first first.
type notices []noticed

type noticed struct {
	// Kind is one of those above, Name the invariant or the relation, and Text what it says.
	Kind, Name, Text string
}

// byOracle is the first that is no step of the scenario, and no run that came to no end.
func (n notices) byOracle() *noticed {
	for i := range n {
		if n[i].Kind != step && n[i].Kind != failure {
			return &n[i]
		}
	}
	return nil
}

// notice runs a scenario, with and without its faults, and prints what noticed something.
func notice(file string) {
	found, err := look(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		os.Exit(1)
	}
}

func look(file string) (notices, error) {
	scenario, err := format.Load(file, verb.All)
	if err != nil {
		return nil, err
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		return nil, err
	}
	var outcome *runner.Outcome
	maker := child.Maker{Scenario: scenario, Plan: plan, Run: func(p *runner.Plan, o runner.RunOptions) (*runner.Outcome, error) {
		made, err := p.Run(o)
		if outcome == nil {
			outcome = made
		}
		return made, err
	}}
	report, err := maker.Report(child.Job{Seed: scenario.Spec.Seed, Compare: true, SameEnd: true})
	if err != nil {
		return nil, err
	}
	var found notices
	for _, check := range outcome.Checks {
		if check.Result == runner.Pass {
			continue
		}
		n := noticed{invariants, check.Name, check.Message}
		switch {
		case !check.Invariant:
			n.Kind = step
		case check.Hot != nil:
			n.Kind = hot
		case check.Stuck != nil && check.Stuck.Relation != "":
			n.Kind, n.Name = relation, check.Stuck.Relation
		case check.Stuck != nil:
			n.Kind = goal
		}
		found = append(found, n)
	}
	if report.Result == runner.Diverged {
		n := noticed{Kind: diverged}
		for _, f := range report.Failures {
			if f.Name == child.SameEnd {
				n.Text = f.Message
			}
		}
		found = append(found, n)
	}
	if outcome.Error != "" {
		found = append(found, noticed{failure, "", outcome.Error})
	}
	return found, nil
}

// TestTheTable holds that each mutant is complete, and that the text that it replaces stands in its file exactly once.
func TestTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range mutant.All() {
		if seen[m.Name] || m.Name == "" || m.Does == "" || m.Controller == "" {
			t.Errorf("%q is incomplete, or there twice", m.Name)
		}
		seen[m.Name] = true
		if len(filesOf(t, &m)) == 0 {
			t.Errorf("%s: no scenario runs with it", m.Name)
		}
	}
	if _, err := edited.Files("go", mutant.Modules(mutant.All())...); err != nil {
		t.Error(err)
	}
}

// TestBare shows a bare form, and holds that the bare forms of all scenarios are scenarios without checks.
func TestBare(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range mutant.All() {
		for _, file := range filesOf(t, &m) {
			if seen[file] {
				continue
			}
			seen[file] = true
			text := bare(t, file)
			path := filepath.Join(t.TempDir(), filepath.Base(file))
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
			scenario, err := format.Load(path, verb.All)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			for _, step := range scenario.Spec.Steps {
				if word := step.Verb.Keyword(); word == "expect" || word == "ask" {
					t.Errorf("%s has the step %s", file, word)
				}
			}
			if len(scenario.Spec.Checks) > 0 {
				t.Errorf("%s has checks", file)
			}
			if strings.HasSuffix(file, "controllers/statefulset-partition.yaml") {
				golden.Compare(t, "testdata/statefulset-partition.yaml", string(text))
			}
		}
	}
}

// TestBareWaitsAsLong: a question may be answered later than a step waits by default, and so may what takes its place.
func TestBareWaitsAsLong(t *testing.T) {
	text := strings.Join(strings.Fields(string(bare(t, filepath.Join(root, "lessons/webhook-down.yaml")))), " ")
	if want := "- wait: for: size(pods('app=web')) > 0 timeout: 25m -"; !strings.Contains(text, want) {
		t.Errorf("no step is %s\n%s", want, text)
	}
}

// bare is the bare form of a scenario.
func bare(t *testing.T, file string) []byte {
	t.Helper()
	text, err := mutant.Bare(load(t, file))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// nameOf is the name of the scenario of a file.
func nameOf(file string) string { return strings.TrimSuffix(filepath.Base(file), ".yaml") }

// TestMutants runs all mutants.
func TestMutants(t *testing.T) {
	if !*measure {
		t.Skip("compiles a part of Kubernetes: -mutants")
	}
	b := &bench{program: program(t), folder: t.TempDir(), sound: map[string]notices{}}
	var rows []row
	for _, m := range mutant.All() {
		if !strings.Contains(m.Name, *only) {
			continue
		}
		r := b.try(t, m)
		rows = append(rows, r)
		t.Log(r.String() + " " + r.text)
		if (r.by == "") != (m.Why != "") {
			t.Errorf("%s: noticed by %q, but the table says why it is not: %q", m.Name, r.by, m.Why)
		}
	}
	t.Logf("%d runs, %s of CPU", b.runs, b.spent.Round(time.Second))
	if *only == "" {
		golden.Compare(t, page, write(rows, b))
	}
}
