package external_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/external"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
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
func program(t testing.TB) string {
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

// stock builds testdata/program without the flags that it needs.
func stock(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stock")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir, build.Env = "testdata/program", append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return path
}

// TestCtrlmainCompiles compiles the module of programs with its example.
func TestCtrlmainCompiles(t *testing.T) {
	vet := exec.Command("go", "vet", ".")
	vet.Dir, vet.Env = "ctrlmain", append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if said, err := vet.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}

// played is what a program printed, with the times, and the error of the run.
func played(t testing.TB, text string, options external.Options) (lines []string, hash string, err error) {
	t.Helper()
	return playedBy(t, text, external.Controller(options))
}

func playedBy(t testing.TB, text string, program controllers.Custom) (lines []string, hash string, err error) {
	t.Helper()
	scenario, err := format.Parse("program.yaml", []byte(text), verb.All, runner.Expressions)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := runner.Run(scenario, runner.RunOptions{
		Controllers: map[string]controllers.Custom{"program": program},
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
		{"exits-with-a-watch", []string{`0.008s {"type":"ADDED" false`, "2.000s the process exited: exit status 7"}},
		{"returns-with-a-watch", []string{`0.008s {"type":"ADDED" false`, "2.000s the process exited: no more ideas"}},
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
		{path, "panics", "controller program panicked: at the disco, in main.init.func"},
		{path, "panics-with-a-watch", "panicked: at the disco"},
		{path, "spins", "is a program of its own that never waits in virtual time: it worked for 2s of real time"},
		{path, "spins-with-a-watch", "across a request, in main."},
		{path, "listens", "across a request, in main."},
		{"/bin/true", "", "does not speak kubestep's protocol: the process exited: exit status 0 before it answered\nTry: a program whose main"},
		{"/bin/sleep", "1h", "does not answer kubestep: it runs for 2s of real time\nTry: a program whose main"},
		{stock(t), "waits", "does not start: this program is not built for kubestep\nTry: export CGO_ENABLED=0"},
		{"/no/such/program", "", "the program does not start: "},
	} {
		t.Run(test.act+filepath.Base(test.path), func(t *testing.T) {
			_, _, err := played(t, world, external.Options{Path: test.path, Args: []string{test.act}, Patience: 2 * time.Second})
			if err == nil {
				t.Fatal("no error")
			}
			text := err.Error()
			if fault := new(controllers.Error); errors.As(err, &fault) && fault.Try != "" {
				text += "\nTry: " + fault.Try
			}
			if !strings.Contains(text, test.want) {
				t.Errorf("error %v, want %q", text, test.want)
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

// TestARestart gives a program other random numbers than it had before, and the same name.
func TestARestart(t *testing.T) {
	path := program(t)
	text := world + "  - controller: {crash: program, restartAfter: 1m}\n"
	lines, _, err := played(t, text, external.Options{Path: path, Args: []string{"names"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 2 {
		t.Fatalf("two lives print %q", lines)
	}
	first, second := strings.Fields(lines[0]), strings.Fields(lines[1])
	if first[1] != "program" || second[1] != "program" || first[2] == second[2] {
		t.Errorf("two lives print %q", lines)
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

// BenchmarkRequest is a request of a program of its own, from the client to the answer, and of a controller in this process.
func BenchmarkRequest(b *testing.B) {
	path := program(b)
	count := func(b *testing.B, of controllers.Custom) {
		if _, _, err := playedBy(b, world, of); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("program", func(b *testing.B) {
		count(b, external.Program(path, "gets", strconv.Itoa(b.N)))
	})
	b.Run("in-process", func(b *testing.B) {
		count(b, func(ctx context.Context, clients controllers.Clients) error { return gets(ctx, clients, b.N) })
	})
}

// gets does what the program does with the argument gets.
func gets(ctx context.Context, clients controllers.Clients, count int) error {
	config, err := clients.Config()
	if err != nil {
		return err
	}
	controllers.SimulationOf(clients).LimitTo(clients.Name(), 0, 0)
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	for range count {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host+"/api/v1/namespaces/default/configmaps/early", nil)
		if err != nil {
			return err
		}
		response, err := client.Do(r)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, response.Body)
		if err := errors.Join(err, response.Body.Close()); err != nil {
			return err
		}
	}
	return nil
}
