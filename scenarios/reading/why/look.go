package why

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Look is the last sync of a key, or the last request about an object of a controller that has no syncs.
type Look struct {
	// Start and End are its records; End is 0 while it has not ended.
	Start int64         `json:"record"`
	End   int64         `json:"-"`
	At    time.Duration `json:"at"`
	// Did says what came of it, Verdict why, if that is explained.
	Did     string `json:"did"`
	Verdict string `json:"verdict,omitempty"`
	// Failures is how many syncs in a row failed, this one included, and Error why.
	Failures int    `json:"failures,omitempty"`
	Error    string `json:"error,omitempty"`
	// Fault is the one that made its last request fail; nil if none did. Error names it, too.
	Fault *AppliedFault `json:"fault,omitempty"`
	// conflict means that the API server answered 409 Conflict.
	conflict bool
	requeued bool
	// denied is how the API server, and not a fault, forbade a request of it; refused is then the first look of those failures in a row.
	denied  string
	refused int64
	// Ends is when the back-off ends that it decided to wait for; 0 for none.
	Ends time.Duration `json:"ends,omitempty"`
	// Nothing means that it wrote nothing.
	Nothing bool `json:"-"`
}

// look is the last look of an actor at a key; nil for none since its process started.
func (i *Instant) look(actor, key string, o trace.Object) *Look {
	starts := i.syncs[queued{actor, key}]
	last := i.lastSync(actor, key)
	if last == 0 {
		return i.request(actor, o)
	}
	l := &Look{Start: last, At: i.rec.At(last)}
	end := i.rec.Record(i.rec.SyncEnd(last))
	if end == nil || end.Seq > i.seq {
		l.Did = "has not ended yet"
		return l
	}
	l.End, l.requeued = end.Seq, end.Sync.Requeued
	why := i.failure(last, end)
	l.Error, l.denied, l.conflict, l.Fault = why.text, why.denied, why.conflict, why.fault
	l.Did, l.Nothing = i.rec.Row(last).Outcome, end.Sync.Writes == 0
	if e := i.Explained(last); e != nil && !e.Deferred && l.Error == "" {
		l.Verdict = decided(e)
		if e.Rest > 0 {
			l.Ends = l.At + e.Rest
		}
	}
	for start := last; start != 0 && start >= i.started(i.process(actor)); start = recording.Previous(starts, start) {
		why := i.failure(start, i.rec.Record(i.rec.SyncEnd(start)))
		if why.text == "" {
			break
		}
		if l.Failures++; why.denied != "" {
			l.refused = start
		}
	}
	return l
}

// explanations are those of syncs, by their first records. Each is computed once: who looks at each record of a run asks for the same syncs
// again and again.
type explanations struct {
	of map[int64]*arithmetic.Explanation
	// most is how many objects the controller may list at once in a sync that is explained when somebody asks. lacking are the syncs with
	// more that were asked for.
	most    int
	lacking []int64
}

func newExplanations() explanations {
	return explanations{of: map[int64]*arithmetic.Explanation{}, most: math.MaxInt}
}

// Explained is the arithmetic of the sync that a record belongs to, as explain.At computes it; nil if it is not explained.
func (h *History) Explained(seq int64) *arithmetic.Explanation {
	start := h.rec.SyncOf(seq)
	if start == 0 {
		return explain.At(h.rec, seq)
	}
	known := &h.explained
	e, found := known.of[start]
	if !found {
		e = explain.Within(h.rec, start, known.most)
		known.of[start] = e
	}
	if e != nil && e.Deferred && !slices.Contains(known.lacking, start) {
		known.lacking = append(known.lacking, start)
	}
	return e
}

// Defer makes Explained answer at once, for a screen: of a sync in which the controller lists more objects at once than some, it says that
// the explanation is being computed. Somebody else computes it with explain.At, beside the screen, and calls Explain.
func (h *History) Defer(objects int) { h.explained.most = objects }

// Defers reports whether explanations are deferred.
func (h *History) Defers() bool { return h.explained.most != math.MaxInt }

// Lacking are the first records of the syncs that were asked for since the last call and whose explanations are not there.
func (h *History) Lacking() []int64 {
	lacking := h.explained.lacking
	h.explained.lacking = nil
	return lacking
}

// Explain adds the explanation of the sync that began with a record; nil if it is not explained.
func (h *History) Explain(start int64, e *arithmetic.Explanation) { h.explained.of[start] = e }

// decided is what a sync decided, with the reason for a branch that nobody expects.
func decided(e *arithmetic.Explanation) string {
	if e.Branch != arithmetic.BranchScaling || len(e.Steps) == 0 || len(e.Steps[0].Lines) == 0 {
		return e.Verdict
	}
	first := e.Steps[0]
	line := first.Lines[0]
	return fmt.Sprintf("%s (%s): %s %s, so: %s; then %s", first.Title, first.Function, line.Label, line.Formula, line.Value, e.Verdict)
}

// failure is why a sync failed.
type failure struct {
	text string
	// denied is how the API server forbade the last of its requests that failed; empty if a fault did, or something else happened.
	denied string
	// conflict means that the answer to that request was 409 Conflict.
	conflict bool
	// fault made that request fail; nil if none did.
	fault *AppliedFault
}

// failure says why a sync failed; its text is empty if it did not. Some controllers report an error in a log line or an Event only, and
// requeue the key, such as endpointslice-controller.
func (i *Instant) failure(start int64, end *trace.Record) failure {
	if end == nil || end.Sync.Stale || end.Sync.Error == "" && !end.Sync.Requeued {
		return failure{}
	}
	why := failure{text: end.Sync.Error}
	for _, effect := range i.rec.Effects(start) {
		record := i.rec.Record(effect)
		r := record.Request
		if r != nil && r.Code >= http.StatusBadRequest && !strings.HasPrefix(r.Resource, "events") {
			what := r.Verb + " " + trace.ObjectName(r.Object) + ": "
			why = failure{text: what + i.refusal(effect), conflict: r.Code == http.StatusConflict}
			if record.FaultSeq != 0 {
				why.fault = i.applied(record.FaultSeq)
			} else if r.Code == http.StatusForbidden {
				why.denied = what + r.Message
			}
		}
	}
	return why
}

// request is the last request of a controller about an object. Not all controllers take keys from a queue:
// taint-eviction-controller has a timer for each Pod.
func (i *Instant) request(actor string, o trace.Object) *Look {
	of := i.rec.RequestsOf(actor, o)
	begun := i.started(i.process(actor))
	var last *Look
	for _, seq := range slices.Backward(of[:firstAfter(of, i.seq)]) {
		if seq < begun {
			break
		}
		r := i.rec.Record(seq).Request
		if last != nil && r.Verb != i.rec.Record(last.Start).Request.Verb {
			continue
		}
		if last == nil {
			last = &Look{Start: seq, End: seq, At: i.rec.At(seq), Did: r.Verb + " " + trace.ObjectName(o)}
		}
		if r.Code < http.StatusBadRequest {
			break
		}
		if last.Failures++; last.Failures == 1 {
			last.Error, last.conflict = i.refusal(seq), r.Code == http.StatusConflict
			if by := i.rec.Record(seq).FaultSeq; by != 0 {
				last.Fault = i.applied(by)
			}
		}
	}
	if last == nil {
		return nil
	}
	if e := explain.At(i.rec, last.Start); e != nil && e.Due > 0 {
		last.Verdict = e.Verdict
	}
	return last
}

// refusal is the error that answered a request, with the fault that made it.
func (i *Instant) refusal(seq int64) string {
	record := i.rec.Record(seq)
	text := fmt.Sprintf("%d %s", record.Request.Code, record.Request.Reason)
	if record.FaultSeq != 0 {
		text += " (fault " + i.rec.Record(record.FaultSeq).Fault.Rule + ")"
	}
	return text + i.refusedBy(record.Request)
}

// firstAfter is the index of the first of the sorted numbers after seq.
func firstAfter(of []int64, seq int64) int {
	n, _ := slices.BinarySearch(of, seq+1)
	return n
}
