package child_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/sim/recording"
)

// kubestep is the output of this test binary as kubestep.
func kubestep(t *testing.T, args ...string) []byte {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "CHILD_TEST=kubestep", "GOMAXPROCS=2")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRecordingHasTheHashOfTheRun holds that looking at a run does not change it.
func TestRecordingHasTheHashOfTheRun(t *testing.T) {
	for _, name := range []string{"worked-13", "rolling-update", "statefulset"} {
		var outcome struct {
			TraceHash string `json:"traceHash"`
		}
		if err := json.Unmarshal(kubestep(t, "run", name, "-o", "json"), &outcome); err != nil {
			t.Fatal(err)
		}
		rec, err := run(name).Record(t.Context(), recording.Origin{Name: name}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if rec.Hash != outcome.TraceHash || rec.Cut != "" {
			t.Errorf("%s: recorded %s (%s), ran %s", name, rec.Hash, rec.Cut, outcome.TraceHash)
		}
	}
}

// TestRecordIsCancelled kills a run that is being recorded as soon as it reports its progress.
func TestRecordIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := run("rolling-update").Record(ctx, recording.Origin{}, func(child.Progress) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// TestBrokenTrace holds that what there is of a trace is shown, and that it says that it is not whole.
func TestBrokenTrace(t *testing.T) {
	whole := kubestep(t, "run", "worked-13", "-o", "jsonl")
	rec, err := recording.Read(strings.NewReader(string(whole[:len(whole)/2])), recording.Origin{})
	if err != nil || rec.Cut == "" || rec.Len() == 0 {
		t.Errorf("error %v, cut %q, %d records", err, rec.Cut, rec.Len())
	}
	if _, err := recording.Read(strings.NewReader("no trace\n"), recording.Origin{}); err == nil {
		t.Error("text that is no trace was read")
	}
}
