package child_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/command"
)

// TestMain lets the test binary be kubestep when a test starts it as a child.
func TestMain(m *testing.M) {
	var options command.Options
	switch os.Getenv("CHILD_TEST") {
	case "":
		os.Exit(m.Run())
	case "panic":
		options.Controllers = map[string]controllers.Custom{"mine": func(context.Context, controllers.Clients) error {
			panic("boom")
		}}
	case "silent":
		os.Exit(7)
	}
	os.Exit(command.Main(os.Args[1:], options))
}

func run(file string) child.Run { return child.Run{File: file, Env: []string{"CHILD_TEST=kubestep"}} }

func nothing(*trace.Record) error { return nil }

// TestFollow gets every record of a run, and the hash that the run itself has.
func TestFollow(t *testing.T) {
	var last *trace.Record
	result, err := run("worked-01").Follow(t.Context(), func(record *trace.Record) error {
		last = record
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if result.Outcome == nil || result.Outcome.Result != runner.Pass || result.Hash != result.Outcome.TraceHash {
		t.Errorf("outcome %+v, hash of what came %s", result.Outcome, result.Hash)
	}
	if last == nil || last.Seq != result.Outcome.Records {
		t.Errorf("the last record is %+v of %d", last, result.Outcome.Records)
	}
}

// TestSeed runs with another seed than the scenario's.
func TestSeed(t *testing.T) {
	seed := int64(99)
	r := run("worked-01")
	r.Seed = &seed
	result, err := r.Follow(t.Context(), nothing)
	if err != nil || result.Outcome.Seed != seed {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestCancel kills a child in the middle of its run.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	records := 0
	_, err := run("all-controllers").Follow(ctx, func(*trace.Record) error {
		if records++; records == 100 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestReaderFails ends the child with its reader's error.
func TestReaderFails(t *testing.T) {
	full := errors.New("no space left")
	if _, err := run("worked-01").Follow(t.Context(), func(*trace.Record) error { return full }); !errors.Is(err, full) {
		t.Errorf("the reader failed, and Follow says %v", err)
	}
}

// TestOrphan shows that a child does not outlive the one who reads: writing to a closed pipe ends it.
func TestOrphan(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "run", "-o", "stream", "all-controllers")
	cmd.Env = append(os.Environ(), "CHILD_TEST=kubestep")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the child came to its end as if somebody had read")
		}
	case <-time.After(time.Minute):
		_ = cmd.Process.Kill()
		t.Error("the child goes on")
	}
}

// TestBreakdowns are simulations that do not come to their end.
func TestBreakdowns(t *testing.T) {
	faulty := run("worked-01")
	faulty.Env = []string{"CHILD_TEST=panic"}
	hungry := run("all-controllers")
	hungry.MaxMemory = "16Mi"
	for _, test := range []struct {
		run     child.Run
		reason  trace.HaltReason
		message string
	}{
		{faulty, trace.HaltFault, "controller mine panicked: boom"},
		{hungry, trace.HaltMemory, "more than the limit of 16Mi"},
	} {
		result, err := test.run.Follow(t.Context(), nothing)
		if err != nil {
			t.Errorf("%s: %v", test.reason, err)
			continue
		}
		if result.Outcome != nil || result.Halt == nil || result.Halt.Reason != test.reason ||
			!strings.Contains(result.Halt.Message, test.message) {
			t.Errorf("%s: outcome %+v, halt %+v", test.reason, result.Outcome, result.Halt)
		}
	}
}

// TestWrongScenario passes the child's own words on.
func TestWrongScenario(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wrong.yaml")
	if err := os.WriteFile(file, []byte("apiVersion: kubestep.dev/v1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := run(file).Follow(t.Context(), nothing)
	var wrong *child.Error
	if !errors.As(err, &wrong) || wrong.Code != 2 || !strings.Contains(wrong.Message, "wrong.yaml:1:13: apiVersion") || wrong.Try == "" {
		t.Errorf("%#v", err)
	}
	silent := run("worked-01")
	silent.Env = []string{"CHILD_TEST=silent"}
	if _, err := silent.Follow(t.Context(), nothing); !errors.As(err, &wrong) || wrong.Code != 7 {
		t.Errorf("%#v", err)
	}
}
