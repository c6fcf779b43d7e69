package external_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/external"
	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verb"
	"github.com/kubestep/kubestep/sim/exact"
	"github.com/kubestep/kubestep/sim/trace"
)

const world = `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: program}
spec:
  title: A program of its own
  horizon: 5h
  kubernetes: {controllers: [], scheduler: simple}
  steps:
  - create: |
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: early}
  - after: 10m
    create: |
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: late}
`

// program builds testdata/program once.
func program(t *testing.T) string {
	t.Helper()
	if !exact.Enabled() {
		t.Skip("a program of its own needs the toolchain of the exact build")
	}
	path, err := external.Build("testdata/program", os.TempDir()+"/kubestep-program")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// played is what a program printed, with the times, and the error of the run.
func played(t *testing.T, text string, options external.Options) (lines []string, hash string, err error) {
	t.Helper()
	scenario, err := format.Parse("program.yaml", []byte(text), verb.All, runner.Expressions)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := runner.Run(scenario, runner.RunOptions{
		Controllers: map[string]controllers.Custom{"program": external.Controller(options)},
		Sinks: []trace.Sink{func(r *trace.Record, _ []byte) {
			if r.Actor == "program" && r.Log != nil {
				lines = append(lines, fmt.Sprintf("%.3fs %s", r.At.Seconds(), r.Log.Message))
			}
		}},
	})
	if outcome != nil {
		hash = outcome.TraceHash
	}
	return lines, hash, err
}

func TestPrograms(t *testing.T) {
	path := program(t)
	for _, test := range []struct {
		act  string
		want []string
	}{
		{"waits", []string{"-1.000s 1ns is over", "3599.000s 1h0m0s is over", "10799.000s 3h0m0s is over"}},
		{"watches", []string{`0.008s {"type":"ADDED" false`, `600.019s {"type":"ADDED" true`, "2439.128s the process exited with code 0"}},
		{"cancels", []string{"-1.000s 1ns true", "-0.998s 1s 200 true <nil> [application/json]"}},
		{"returns", []string{"-1.000s the process exited with code 0"}},
		{"fails", []string{"-1.000s the process exited: no more ideas"}},
		{"exits", []string{"2.000s the process exited: exit status 7"}},
	} {
		t.Run(test.act, func(t *testing.T) {
			lines, _, err := played(t, world, external.Options{Path: path, Args: []string{test.act}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, lines); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestProgramsThatFailTheRun do what no controller may do.
func TestProgramsThatFailTheRun(t *testing.T) {
	path := program(t)
	for _, test := range []struct{ path, act, want string }{
		{path, "panics", "panicked: at the disco"},
		{path, "spins", "worked for 2s of real time"},
		{path, "listens", "net.(*TCPListener).Accept"},
		{"/bin/true", "", "the process exited: exit status 0"},
		{"/no/such/program", "", "the program does not start: "},
	} {
		t.Run(test.act+test.path[:4], func(t *testing.T) {
			_, _, err := played(t, world, external.Options{Path: test.path, Args: []string{test.act}, Patience: 2 * time.Second})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// TestWhatGoDecides gives one hash for each seed.
func TestWhatGoDecides(t *testing.T) {
	path := program(t)
	hashes := map[string]bool{}
	for seed := range 3 {
		text := strings.Replace(world, "title:", fmt.Sprintf("seed: %d\n  title:", seed+1), 1)
		first, hash, err := played(t, text, external.Options{Path: path, Args: []string{"orders"}})
		if err != nil || len(first) != 1 {
			t.Fatal(first, err)
		}
		hashes[hash] = true
		for range 4 {
			if again, other, _ := played(t, text, external.Options{Path: path, Args: []string{"orders"}}); other != hash {
				t.Errorf("seed %d:\n%s\n%s", seed+1, first, again)
			}
		}
	}
	if len(hashes) != 3 {
		t.Errorf("three seeds give %d hashes", len(hashes))
	}
}

// TestBothEndsHaveTheSameFrames compares the file that the two modules share.
func TestBothEndsHaveTheSameFrames(t *testing.T) {
	ours, err := os.ReadFile("frames.go")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile("ctrlmain/frames.go")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(string(ours), "package external", "package ctrlmain", 1)
	if diff := cmp.Diff(want, string(theirs)); diff != "" {
		t.Errorf("frames.go and ctrlmain/frames.go differ (-external +ctrlmain):\n%s", diff)
	}
}
