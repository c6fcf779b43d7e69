package pane_test

import (
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// TestVerdict: a run that fails has the verdict that kubestep explore gives it, as far as its trace says it. What is stuck at the end comes
// before what went wrong on the way. An archive of kubestep run --compare says that a run diverged, whatever else is true of it.
func TestVerdict(t *testing.T) {
	plain, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		result string
		failed []string
		branch bool
		want   string
	}{
		{runner.Pass, nil, false, "✓ pass"},
		{runner.Fail, []string{"ready"}, false, "✗ FAIL"},
		{runner.Fail, []string{"ready", invariant.NoHotLoop}, false, "✗ HOT"},
		{runner.Fail, []string{invariant.NoHotLoop, invariant.NotStuck}, false, "✗ STUCK"},
		{runner.Fail, []string{invariant.NotStuck}, true, "fails 1 check"},
		{runner.Diverged, nil, false, "✗ DIVERGED"},
		{runner.Diverged, []string{"ready"}, false, "✗ DIVERGED"},
		{runner.Diverged, nil, true, "✗ DIVERGED"},
		{"", nil, false, ""},
		{runner.Fault, nil, false, "✗ crashed"},
	} {
		builder := recording.NewBuilder()
		for i, name := range test.failed {
			record := &trace.Record{
				Seq: int64(i + 1), At: time.Duration(i) * time.Second, Kind: trace.KindCheck, Check: &trace.Check{Name: name, Message: "false"},
			}
			if err := builder.Add(record); err != nil {
				t.Fatal(err)
			}
		}
		rec := builder.Done(recording.Origin{Name: "web", Ran: true, Result: test.result}, "")
		if got := ansi.Strip(pane.Verdict(rec, plain, test.branch)); got != test.want {
			t.Errorf("%s %v: %s, want %s", test.result, test.failed, got, test.want)
		}
	}
}
