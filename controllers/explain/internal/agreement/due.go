package agreement

import (
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/sim/trace"
)

// Due counts the requests of controllers without syncs, by controller, and how far they are from when they are due.
type Due struct {
	explained map[string]int
	worst     map[string]time.Duration
}

// NewDue counts nothing yet.
func NewDue() Due { return Due{map[string]int{}, map[string]time.Duration{}} }

// late is how long after it is due a request may be sent: the interval in which the node lifecycle controller looks at its queues is
// 100 ms, and so is that in which a controller that starts waits for its caches.
const late = 150 * time.Millisecond

// noTaints is the end of a verdict about a zone whose rate is 0.
const noTaints = "no node at all"

// CompareDue wants each first request of the taint eviction controller about a Pod, and each taint NoExecute, to be sent when its
// explanation says that it is due.
func (p *Played) CompareDue(n Due, wrong func(format string, args ...any)) {
	last := map[trace.Object]time.Duration{}
	for _, r := range p.Records {
		name, _ := trace.SplitActor(r.Actor)
		if r.Request == nil || r.Cause != 0 || strings.HasPrefix(r.Request.Resource, "events") {
			continue
		}
		e := explain.At(p.Seen, r.Seq)
		if e == nil {
			continue
		}
		again := name == "taint-eviction-controller" && last[r.Request.Object] != 0 && r.Request.Sent-last[r.Request.Object] < time.Minute
		last[r.Request.Object] = r.Request.Sent
		if again {
			continue
		}
		n.explained[name]++
		off := r.Request.Sent - e.Due
		n.worst[name] = max(n.worst[name], off)
		if strings.HasSuffix(e.Verdict, noTaints) {
			wrong("record %d (%s) adds a taint although the rate is 0\n%s", r.Seq, e.Key, strings.Join(e.Text(0), "\n"))
		}
		if off < -10*time.Millisecond || off > late {
			wrong("record %d (%s %s) was due at %s, but was sent at %s\n%s", r.Seq, name, e.Key, trace.Seconds(e.Due),
				trace.Seconds(r.Request.Sent), strings.Join(e.Text(0), "\n"))
		}
	}
}

// Check logs the counts, and fails if they prove little.
func (n Due) Check(t *testing.T) {
	t.Helper()
	for name, least := range map[string]int{"taint-eviction-controller": 20, "node-lifecycle-controller": 10} {
		t.Logf("%s: %d requests, the latest %s after it was due", name, n.explained[name], n.worst[name])
		if n.explained[name] < least {
			t.Errorf("only %d requests of %s were explained, less than %d: that proves little", n.explained[name], name, least)
		}
	}
}
