package limits

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestCopiesCollectNothingBelowTheSoftLimit: without a soft limit, nothing else would bound the memory of a copy.
func TestCopiesCollectNothingBelowTheSoftLimit(t *testing.T) {
	percent, limit, before := debug.SetGCPercent(100), debug.SetMemoryLimit(-1), softened.Load()
	defer func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		softened.Store(before)
	}()
	t.Setenv("GOGC", "")
	if os.Getenv("GOMEMLIMIT") != "" {
		t.Skip("GOMEMLIMIT is set")
	}
	softened.Store(0)
	Limits{}.EaseGarbageCollector()
	if got := debug.SetGCPercent(100); got != 100 {
		t.Errorf("without a soft limit: %d%%, want 100%%", got)
	}
	limits := Limits{Memory: DefaultMemoryBytes}
	limits.soften()
	limits.EaseGarbageCollector()
	if got := debug.SetGCPercent(100); got != -1 {
		t.Errorf("with a soft limit: %d%%, want none", got)
	}
}

func TestSoftLimit(t *testing.T) {
	const mebibyte = 1 << 20
	for live, want := range map[int64]int64{0: 384, 128: 384, 129: 448, 250: 768, 341: 1024, 400: 1024, 512: 1024, 513: 1088, 1000: 2048} {
		if got := softLimit(live * mebibyte); got != want*mebibyte {
			t.Errorf("%d MiB live: %d MiB, want %d", live, got/mebibyte, want)
		}
	}
}
