package testing_test

import (
	"bytes"
	"strings"
	"testing"

	bubbled "github.com/kubestep/kubestep/sim/conformance/testing"
)

// TestPlay runs tests that end in each way, and compares what they report.
func TestPlay(t *testing.T) {
	for _, c := range []struct {
		name            string
		test            func(*bubbled.T)
		failed, skipped bool
		log             string
	}{
		{"pass", func(t *bubbled.T) { t.Log("fine") }, false, false, "fine"},
		{"error", func(t *bubbled.T) { t.Errorf("two is %d", 3); t.Log("continues") }, true, false, "continues"},
		{"fatal", func(t *bubbled.T) { t.Fatal("no"); panic("unreachable") }, true, false, "FATAL no"},
		{"skip", func(t *bubbled.T) { t.Skip("not here") }, false, true, "SKIP not here"},
		{"panic", func(*bubbled.T) { panic("broken") }, true, false, "panic: broken"},
		{"cleanup", func(t *bubbled.T) { t.Cleanup(func() { t.Fatal("late") }) }, true, false, "FATAL late"},
		{"subtest", func(t *bubbled.T) {
			t.Run("a b", func(t *bubbled.T) { t.FailNow() })
			t.Log("continues")
		}, true, false, "--- FAIL: subtest/a_b"},
	} {
		var log bytes.Buffer
		result, _ := bubbled.Play(c.name, c.test, &log)
		if result.Failed != c.failed || result.Skipped != c.skipped || !strings.Contains(log.String(), c.log) {
			t.Errorf("%s: %+v, want failed %t, skipped %t, and %q in the log:\n%s", c.name, result, c.failed, c.skipped, c.log, &log)
		}
	}
}

// TestCleanupIsLastInFirstOut runs cleanup functions in reverse order, after the context of the test has ended.
func TestCleanupIsLastInFirstOut(t *testing.T) {
	var order []string
	result, subtests := bubbled.Play("top", func(t *bubbled.T) {
		ctx := t.Context()
		for _, name := range []string{"first", "second"} {
			t.Cleanup(func() {
				if ctx.Err() == nil {
					t.Error("the context of the test has not ended")
				}
				order = append(order, name)
			})
		}
		t.Run("sub", func(*bubbled.T) {})
		t.Run("sub", func(*bubbled.T) {})
	}, &bytes.Buffer{})
	if got := strings.Join(order, " "); got != "second first" || result.Failed {
		t.Errorf("order %s, failed %t", got, result.Failed)
	}
	if len(subtests) != 2 || subtests[1].Name != "top/sub#01" {
		t.Errorf("subtests %v", subtests)
	}
}
