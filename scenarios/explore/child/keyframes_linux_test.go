package child_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/keyframe"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
)

// everyScenario branches off from all scenarios that come with kubestep, and at twice as many places: it takes a quarter of an hour.
var everyScenario = flag.Bool("every-scenario", false, "TestBranchesFromKeyframes branches off from all scenarios, at ten places")

// TestBranchesFromKeyframes continues runs from their keyframes as branches, and makes the same branches from their start: the hashes are
// the same. The places are all over the runs: while a step waits, in the middle of a rollout, in the quiet time behind it. Each branch
// leaves a keyframe, from which the next one may begin.
func TestBranchesFromKeyframes(t *testing.T) {
	if !exact.CanFork() {
		t.Skip("this build cannot copy a process")
	}
	places := 5
	files := []string{"rolling-update", "worked-13", "worked-01", "namespace", "leader-election", "restart-resets-toleration"}
	if *everyScenario {
		var err error
		places = 10
		if files, err = library.Files(); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			scenario, err := runner.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			if scenario.RunsKubelets() || len(scenario.Spec.Controllers) > 0 {
				t.Skip("it has no keyframes")
			}
			branchEverywhere(t, file, places)
		})
	}
}

// TestBranchOutlivesItsKeyframe: the keyframe that a branch leaves ends the one that the branch continues from, while it runs, since the
// memory is enough for one only.
func TestBranchOutlivesItsKeyframe(t *testing.T) {
	if !exact.CanFork() {
		t.Skip("this build cannot copy a process")
	}
	for range 5 {
		of := parentOf(t, "rolling-update")
		of.frames.Memory = 1
		const early = 10 // much is left to do
		of.branch(t, "delete pod/none", of.rec.At(of.rec.Len()/early))
		if n := of.frames.Len(); n != 1 {
			t.Errorf("%d keyframes are left", n)
		}
	}
}

// parent is a run with its keyframes.
type parent struct {
	file     string
	scenario *format.Scenario
	rec      *recording.Recording
	frames   *keyframe.Frames
}

// parentOf runs a scenario.
func parentOf(t *testing.T, file string) *parent {
	scenario, err := runner.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	p := &parent{file: file, scenario: scenario, frames: &keyframe.Frames{Memory: 4 << 30}}
	t.Cleanup(p.frames.Close)
	of := run(file)
	of.Keyframes = p.frames
	if p.rec, err = of.Record(t.Context(), recording.Origin{Name: file}, nil); err != nil {
		t.Fatal(err)
	}
	if p.frames.Len() == 0 {
		t.Error("the run has no keyframes")
	}
	return p
}

// branchEverywhere makes branches of a scenario at places, with one step each.
func branchEverywhere(t *testing.T, file string, places int) {
	of := parentOf(t, file)
	lines := []string{
		"delete pod/none", "step {label: {target: namespace/default, set: {x: y}}}", "fail update deployments Conflict",
		"delete namespace/default", "hold watch pods 10s",
	}
	for i := range places {
		if at := of.rec.At(of.rec.Len() * int64(2*i+1) / int64(2*places)); at > 0 {
			of.branch(t, lines[i%len(lines)], at)
		}
	}
}

// branch makes a branch with the step of a line, from its start and from a keyframe.
func (p *parent) branch(t *testing.T, line string, at time.Duration) {
	step, err := branch.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	branched, err := branch.Add(p.scenario, p.rec, at, step)
	if err != nil {
		t.Fatal(err)
	}
	branched.Spec.Seed = p.rec.Seed
	text, err := branched.Encode()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "branch.yaml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	nothing := func(*trace.Record) error { return nil }
	want, err := run(path).Follow(t.Context(), nothing)
	if err != nil {
		t.Fatal(err)
	}
	frame := p.frames.Before(at)
	got, err := child.Run{Keyframes: p.frames}.FollowFrom(t.Context(), child.Branch{Frame: frame, Until: at, Scenario: text}, nothing)
	if err != nil {
		t.Fatalf("%s at %v from the keyframe at %v: %v", line, at, frame.At, err)
	}
	if branch.Open(p.scenario, p.rec, at) >= 0 {
		// The question that is open is none in the branch, so the two have not the same past.
		if got.Outcome == nil || !strings.Contains(got.Outcome.Error, "another past already") {
			t.Errorf("%s at %v, while a question is open, ends with %+v", line, at, got.Outcome)
		}
		return
	}
	if got.Hash != want.Hash || got.Outcome == nil || got.Outcome.TraceHash != want.Hash {
		t.Errorf("%s at %v from the keyframe at %v: %s, from the start %s", line, at, frame.At, got.Hash, want.Hash)
	}
}
