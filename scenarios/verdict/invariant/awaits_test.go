package invariant

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/sim/trace"
)

// workingWorld is one in which all controllers run, but for those of which it knows that they are dead.
type workingWorld struct {
	World
	dead map[string]bool
}

func (w workingWorld) Process(actor string) (name string, works bool) { return actor, !w.dead[actor] }

// TestAwaits lists the keys that controllers look at again at a time that is not over since the last change:
//
//	awaits since=TIME [dead=CONTROLLER]
//	TIME done|requeued|failed CONTROLLER KEY    a sync of the key begins and ends, and queues the key again or not
func TestAwaits(t *testing.T) {
	datadriven.RunTest(t, "testdata/awaits.txt", func(t *testing.T, d *datadriven.TestData) string {
		var since, dead string
		d.ScanArgs(t, "since", &since)
		d.MaybeScanArgs(t, "dead", &dead)
		settled, err := time.ParseDuration(since)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		keys := newRequeues(workingWorld{dead: map[string]bool{dead: true}})
		for i, line := range strings.Split(d.Input, "\n") {
			words := strings.Fields(line)
			at, err := time.ParseDuration(words[0])
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			seq := int64(i + 1)
			keys.record(&trace.Record{Seq: seq, At: at, Actor: words[2], Sync: &trace.Sync{Phase: trace.PhaseStart, Key: words[3]}})
			end := &trace.Sync{Phase: trace.PhaseEnd, Start: seq, Key: words[3], Requeued: words[1] != "done"}
			if words[1] == "failed" {
				end.Error = "failure " + strconv.Itoa(i)
			}
			keys.record(&trace.Record{At: at, Actor: words[2], Sync: end})
		}
		var out strings.Builder
		for _, await := range keys.awaits(settled) {
			fmt.Fprintf(&out, "%s %s\n", await.Controller, await.Key)
		}
		return out.String()
	})
}
