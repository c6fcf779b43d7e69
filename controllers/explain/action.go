package explain

import (
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/controller"

	"github.com/kubestep/kubestep/sim/trace"
)

// Action is what a sync asks the API server to do: a number of requests that are alike. Requests that only read, and those
// that write a status, are no actions.
type Action struct {
	Verb     string `json:"verb"`
	Resource string `json:"resource"`
	Count    int    `json:"count"`
	// Names are those of the objects, sorted. There are none if the API server chooses the names, or if it does not matter
	// which objects they are.
	Names []string `json:"names,omitempty"`
}

// String is like "create 3 pods" or "delete pods db-1".
func (a Action) String() string {
	if len(a.Names) > 0 {
		return fmt.Sprintf("%s %s %s", a.Verb, a.Resource, strings.Join(a.Names, ", "))
	}
	return fmt.Sprintf("%s %d %s", a.Verb, a.Count, a.Resource)
}

// act adds an action, or to one of its kind; none if the count is 0.
func (e *Explanation) act(verb, resource string, count int, names ...string) {
	if count == 0 {
		return
	}
	names = slices.Sorted(slices.Values(names))
	for n := range e.Actions {
		if a := &e.Actions[n]; a.Verb == verb && a.Resource == resource {
			a.Count += count
			if a.Names != nil && names != nil {
				a.Names = slices.Sorted(slices.Values(append(a.Names, names...)))
			} else {
				a.Names = nil
			}
			return
		}
	}
	e.Actions = append(e.Actions, Action{verb, resource, count, names})
}

// begin starts the explanation of a sync and reads the object of its key. It returns false if there is nothing else to
// explain: the sync waits for its cache, or the object is gone.
func (s sync) begin(resource, kind string, object runtime.Object) (*Explanation, bool) {
	e := &Explanation{Start: s.start.Seq, At: s.start.At, Controller: s.controller(), Key: s.key(), Branch: kind}
	if s.end != nil && s.end.Sync.Stale {
		e.Verdict = "nothing: its cache does not have its own last write yet"
		return e, false
	}
	switch found, err := s.get(resource, s.name, object); {
	case err != nil:
		return nil, false
	case !found:
		e.Branch, e.Verdict = BranchGone, "nothing: the "+kind+" is not in the cache, so it has been deleted"
		return e, false
	}
	return e, true
}

// finish adds why a sync did less than it wanted: a request was refused, or its process ended.
func (s sync) finish(e *Explanation) *Explanation {
	for _, r := range s.requests {
		q := r.Request
		if q.Code < http.StatusMultipleChoices || q.Verb == "delete" && q.Code == http.StatusNotFound || q.Verb == "get" {
			continue
		}
		e.Refused = strings.TrimSpace(fmt.Sprintf("%d %s", q.Code, q.Reason))
		e.Verdict += fmt.Sprintf("; but the request to %s %s is rejected: %s", q.Verb, trace.ObjectName(q.Object), e.Refused)
		break
	}
	if s.end != nil && strings.HasPrefix(s.end.Sync.Error, processEnded) {
		e.Refused = s.end.Sync.Error
		e.Verdict += "; but " + s.end.Sync.Error
	}
	return e
}

// earlier are the starts of the earlier syncs of the key since the process started, the newest first. What a controller
// remembers is from them.
func (s sync) earlier() iter.Seq[*trace.Record] {
	return func(yield func(*trace.Record) bool) {
		begun := s.begun()
		for _, start := range slices.Backward(s.rec.OfActor(s.start.Actor)) {
			record := s.rec.Record(start)
			if start < begun {
				return
			}
			if start >= s.start.Seq || record.Sync == nil || record.Sync.Phase != trace.PhaseStart ||
				record.Sync.Queue != s.start.Sync.Queue {
				continue
			}
			if other, ok := syncOf(s.rec, start); ok && other.key() == s.key() && !yield(record) {
				return
			}
		}
	}
}

// begun is the record of the last start of the process, 0 for the first.
func (s sync) begun() int64 {
	_, suffix := trace.SplitActor(s.start.Actor)
	faults := s.rec.OfKind(trace.KindFault)
	for _, seq := range slices.Backward(faults) {
		r := s.rec.Record(seq)
		if seq < s.start.Seq && r.Fault.Effect == "restart" && (suffix == "" || strings.HasSuffix(r.Actor, "-"+suffix[1:])) {
			return seq
		}
	}
	return 0
}

// awaited counts the creations and deletions by earlier syncs of the key that the cache has not received. Controllers that
// have expectations neither create nor delete anything before (SatisfiedExpectations in pkg/controller/controller_utils.go).
func (s sync) awaited(resource string) (creations, deletions int) {
	seen := s.cache(resource).Revision(s.start.Seq)
	for record := range s.earlier() {
		if s.start.At-record.At > controller.ExpectationsTimeout {
			break
		}
		for _, effect := range s.rec.Effects(record.Seq) {
			q := s.rec.Record(effect).Request
			if q == nil || q.Resource != resource {
				continue
			}
			unseen := q.Code < http.StatusMultipleChoices && len(q.Writes) > 0 && q.Writes[0].RV > seen
			switch {
			case q.Verb == "create" && (unseen || endsNamespace(q)):
				creations++
			case q.Verb == "delete" && unseen:
				deletions++
			}
		}
	}
	return creations, deletions
}

// endsNamespace reports whether a creation was refused since the namespace is terminating. Controllers take that for a success,
// so they expect the object until the expectation times out.
func endsNamespace(q *trace.Request) bool {
	return q.Code == http.StatusForbidden && strings.Contains(q.Message, "because it is being terminated")
}

// sentAt is when the sync sent its first request of a verb; when it began, if it sent none.
func (s sync) sentAt(verb string) time.Duration {
	for _, r := range s.requests {
		if r.Request.Verb == verb {
			return r.Request.Sent
		}
	}
	return s.start.At
}

// batches are the sizes of the batches of a slow start: they double as long as all requests of a batch succeed.
func batches(count int) []int {
	var sizes []int
	for size := min(count, controller.SlowStartInitialBatchSize); size > 0; size = min(2*size, count) {
		sizes = append(sizes, size)
		count -= size
	}
	return sizes
}

// sumText is like "1 + 2 + 2".
func sumText(numbers []int) string {
	var texts []string
	for _, n := range numbers {
		texts = append(texts, fmt.Sprint(n))
	}
	return strings.Join(texts, " + ")
}
