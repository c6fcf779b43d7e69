package mutant_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
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
	measure = flag.Bool("mutants", false, "TestMutants compiles and runs all mutants, for some minutes, and writes docs/reference/mutants.md")
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
	if report.Result == child.Diverged {
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
		if _, err := mutant.Files(root, m.Controller); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	if _, err := edited.Files("go", mutant.Modules(mutant.All())...); err != nil {
		t.Error(err)
	}
}

// program compiles the program with all mutants.
func program(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	flags, err := mutant.Flags("go", filepath.Join(folder, "overlay"), os.Getenv("GOFLAGS"), mutant.All())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "mutants.test")
	compile := exec.Command("go", "test", "-c", "-vet=off", "-o", file, ".")
	compile.Env = append(os.Environ(), "GOFLAGS="+flags)
	start := time.Now()
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("compiled in %s, %s of CPU", time.Since(start).Round(time.Second), cpu(compile))
	return file
}

func cpu(cmd *exec.Cmd) time.Duration {
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(time.Second / 10)
}

// patience is how long a run of a scenario may take. Some take a second.
const patience = time.Minute

// bench runs scenarios with mutants.
type bench struct {
	program, folder string
	spent           time.Duration
	runs            int
	// sound are what noticed something without a mutant, by file.
	sound map[string]notices
}

// run runs the bare form of a scenario with a mutant; an empty name means none.
func (b *bench) run(t *testing.T, file, name string) notices {
	t.Helper()
	bare := filepath.Join(b.folder, strings.NewReplacer(root+"/", "", "/", "+").Replace(file))
	if _, err := os.Stat(bare); err != nil {
		scenario, err := format.Load(file, verb.All)
		if err != nil {
			t.Fatal(err)
		}
		text, err := mutant.Bare(scenario)
		if err == nil {
			err = os.WriteFile(bare, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.program)
	cmd.Env = append(os.Environ(), "MUTANT_TEST="+bare, mutant.Variable+"="+name, "GOMAXPROCS=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if cmd.ProcessState != nil {
		b.spent += cpu(cmd)
	}
	b.runs++
	if err != nil {
		text := lastLine(said.String())
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			text = fmt.Sprintf("the run takes longer than %s", patience)
		}
		return notices{{Kind: failure, Text: text}}
	}
	var found notices
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
	return found
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
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

// try runs the scenarios of a mutant, until an oracle notices it.
func (b *bench) try(t *testing.T, m mutant.Mutant) row {
	files, err := mutant.Files(root, m.Controller)
	if err != nil {
		t.Fatal(err)
	}
	r := row{mutant: m}
	for _, file := range files {
		if _, known := b.sound[file]; !known {
			b.sound[file] = b.run(t, file, "")
			if len(b.sound[file]) > 0 {
				t.Errorf("%s is noticed without a mutant: %v", file, b.sound[file])
			}
		}
		if len(b.sound[file]) > 0 {
			continue
		}
		r.of++
		found := b.run(t, file, m.Name)
		if len(found) == 0 {
			continue
		}
		if n := found.byOracle(); n != nil {
			r.by, r.in, r.text = n.String(), nameOf(file), n.Text
			return r
		}
		if r.step == "" {
			r.step, r.text = fmt.Sprintf("%s in %s", found[0].Kind, nameOf(file)), found[0].Text
		}
	}
	return r
}
