package limits

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestWatchMemory calls once when the limit is exceeded, and not at all without a limit or after stop.
func TestWatchMemory(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit int64
		calls int
	}{{"no limit", 0, 0}, {"far below", 1 << 60, 0}, {"exceeded from the start", 1, 1}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				stop := Limits{Memory: c.limit}.watchMemory(nil, func(used int64) {
					if calls++; used <= c.limit {
						t.Errorf("%d bytes are not more than %d", used, c.limit)
					}
				})
				time.Sleep(time.Second)
				synctest.Wait()
				stop()
				if calls != c.calls {
					t.Errorf("%d calls, want %d", calls, c.calls)
				}
			})
		})
	}
}

// TestMemoryHalt says how much is used and allowed, in units of Kubernetes, and when.
func TestMemoryHalt(t *testing.T) {
	progress := &engine.Progress{}
	progress.Virtual.Store(int64(90 * time.Second))
	halt := memoryHalt("the process uses", 600<<20+5, 512<<20, progress)
	for _, part := range []string{"the process uses 600Mi of", "512Mi", "1m30s"} {
		if halt.Reason != trace.HaltMemory || !strings.Contains(halt.Message, part) {
			t.Errorf("%+v does not contain %s", halt, part)
		}
	}
}
