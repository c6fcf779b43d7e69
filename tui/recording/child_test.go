package recording

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/command"
)

// asKubestep makes the test binary be kubestep.
const asKubestep = "KUBESTEP_RECORDING_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(asKubestep) != "" {
		os.Exit(command.Main(os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	}
	os.Setenv(asKubestep, "1")
	os.Exit(m.Run())
}

func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRecordingHasTheHashOfTheRun holds that looking at a run does not change it.
func TestRecordingHasTheHashOfTheRun(t *testing.T) {
	for _, name := range []string{"worked-13", "rolling-update", "statefulset"} {
		cmd := exec.Command(self(t), "run", name, "-o", "json")
		cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var outcome struct {
			TraceHash string `json:"traceHash"`
		}
		if err := json.Unmarshal(out, &outcome); err != nil {
			t.Fatal(err)
		}
		rec, err := Child{Run: child.Run{File: name}}.Record(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if rec.Hash != outcome.TraceHash || rec.Cut != "" {
			t.Errorf("%s: recorded %s (%s), ran %s", name, rec.Hash, rec.Cut, outcome.TraceHash)
		}
	}
}

// TestChildThatCannotRun holds that a scenario that is wrong is told in the run's own words.
func TestChildThatCannotRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(file, []byte("apiVersion: kubestep.dev/v1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Child{Run: child.Run{File: file}}.Record(context.Background())
	var run *child.Error
	if !errors.As(err, &run) || !strings.Contains(run.Message, "bad.yaml:1:") || run.Try == "" {
		t.Errorf("error %v", err)
	}
}

// TestChildIsKilled holds that a run that is given up does not go on.
func TestChildIsKilled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	given := Child{Run: child.Run{File: "rolling-update"}, Progress: func(Progress) { cancel() }}
	if _, err := given.Record(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// TestBrokenTrace holds that what there is of a trace is shown, and that it says that it is not whole.
func TestBrokenTrace(t *testing.T) {
	whole, err := exec.Command(self(t), "run", "worked-13", "-o", "jsonl").Output()
	if err != nil {
		t.Fatal(err)
	}
	rec, err := Read(strings.NewReader(string(whole[:len(whole)/2])), Origin{})
	if err != nil || rec.Cut == "" || rec.Len() == 0 {
		t.Errorf("error %v, cut %q, %d records", err, rec.Cut, rec.Len())
	}
	if _, err := Read(strings.NewReader("no trace\n"), Origin{}); err == nil {
		t.Error("text that is no trace was read")
	}
}
