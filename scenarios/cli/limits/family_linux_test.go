package limits

import (
	"os"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestFamily bounds this process, as if it had two members.
func TestFamily(t *testing.T) {
	pids := []int{os.Getpid(), os.Getpid()}
	for limit, ends := range map[int64]bool{0: false, 1: true, 1 << 60: false, proportional(os.Getpid()): true} {
		switch halt := (Limits{Memory: limit}).Family(pids, nil); {
		case (halt != nil) != ends:
			t.Errorf("limit %d: %+v", limit, halt)
		case ends && (halt.Reason != trace.HaltMemory || !strings.HasPrefix(halt.Message, "the process and its copies use ")):
			t.Errorf("limit %d: %+v", limit, halt)
		}
	}
	if share, all := proportional(os.Getpid()), resident(os.Getpid()); share <= 0 || share > all+all/4 {
		t.Errorf("a share of %d bytes of %d", share, all)
	}
	if resident(-1) != 0 || proportional(-1) != 0 {
		t.Error("the memory of no process is known")
	}
}
