package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/live"
)

// withSteps is the world with other steps.
func withSteps(steps string) string {
	before, _, _ := strings.Cut(world, "  steps:")
	return before + "  steps: " + steps + "\n"
}

// eventually waits for what another goroutine does.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("after a minute: not " + what)
		}
	}
}

// TestASessionBeginsAtTimeZero opens a cluster in which nothing is due for seconds, and looks when clients can write.
func TestASessionBeginsAtTimeZero(t *testing.T) {
	r := startOf(t, withSteps("[]"), live.Pace{})
	eventually(t, "open", r.Door.Open)
	if now, _ := r.Door.Now(); now != 0 {
		t.Errorf("the door opens at %s", now)
	}
	r.end(t)
}

// TestASessionEndsBeforeItsSteps ends a session that takes a step that waits for days of virtual time.
func TestASessionEndsBeforeItsSteps(t *testing.T) {
	r := startOf(t, withSteps(`[{wait: {for: "size(pods()) == 1", timeout: 100h}}]
  horizon: 101h`), live.Pace{})
	eventually(t, "on its way", func() bool { now, _ := r.Door.Now(); return now > 0 })
	r.Door.Stop()
	select {
	case outcome := <-r.outcome:
		if outcome != nil && outcome.VirtualSeconds >= (100*time.Hour).Seconds() {
			t.Errorf("the session went on for %v virtual seconds", outcome.VirtualSeconds)
		}
	case <-time.After(time.Minute):
		t.Fatal("the session has not ended after a minute")
	}
	if r.Door.Open() {
		t.Error("the steps have been taken")
	}
}
