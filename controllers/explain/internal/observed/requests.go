package observed

import (
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/controller"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Begin starts the explanation of a sync and reads the object of its key. It returns false if there is nothing else to
// explain: the sync waits for its cache, or the object is gone.
func (s Sync) Begin(resource, kind string, object runtime.Object) (*arithmetic.Explanation, bool) {
	e := &arithmetic.Explanation{Start: s.Start.Seq, At: s.Start.At, Controller: s.Controller(), Key: s.Key(), Branch: kind}
	if s.End != nil && s.End.Sync.Stale {
		e.Verdict = "nothing: its cache does not have its own last write yet"
		return e, false
	}
	switch found, err := s.Get(resource, s.Name, object); {
	case err != nil:
		return nil, false
	case !found:
		e.Branch, e.Verdict = arithmetic.BranchGone, "nothing: the "+kind+" is not in the cache, so it has been deleted"
		return e, false
	}
	return e, true
}

// Interrupted is the error of a sync whose process crashed or was restarted; empty for others.
func (s Sync) Interrupted() string {
	if s.End == nil || !s.End.Sync.IsInterrupted() {
		return ""
	}
	return s.End.Sync.Error
}

// failed is the error of a sync of which no request failed; empty if it has none, or only waits for its cache.
func (s Sync) failed() string {
	if s.End == nil || s.End.Sync.Stale || s.Interrupted() != "" {
		return ""
	}
	return s.End.Sync.Error
}

// Finish adds why a sync did less than it wanted: a request was refused, the sync failed before it sent one, or its process ended.
func (s Sync) Finish(e *arithmetic.Explanation) *arithmetic.Explanation {
	for _, r := range s.Requests {
		q := r.Request
		if q.Code < http.StatusMultipleChoices || q.Verb == "delete" && q.Code == http.StatusNotFound || q.Verb == "get" {
			continue
		}
		e.Refused = strings.TrimSpace(fmt.Sprintf("%d %s", q.Code, q.Reason))
		e.Answered(fmt.Sprintf("but the request to %s %s is rejected: %s", q.Verb, trace.ObjectName(q.Object), e.Refused))
		break
	}
	// What a sync that fails would have done is not what it did. An explanation that does nothing says why already.
	if error := s.failed(); error != "" && e.Refused == "" && len(e.Actions)+len(e.Effects) > 0 && !strings.Contains(e.Verdict, error) {
		e.Verdict += "; but the sync fails: " + error
		if len(s.Requests) == 0 {
			e.Verdict, e.Actions, e.Effects = "nothing: the sync fails: "+error, nil, nil
		}
	}
	if error := s.Interrupted(); error != "" {
		e.Refused = error
		e.Verdict += "; but " + error
	}
	return e
}

// Earlier are the earlier syncs of the key since the process started, the newest first. What a controller remembers is from them.
func (s Sync) Earlier() iter.Seq[Sync] { return s.Before(s.Key(), s.Start.Seq) }

// Before are the syncs of a key of the same queue that started before a record, since the process started, the newest first.
func (s Sync) Before(key string, seq int64) iter.Seq[Sync] {
	return func(yield func(Sync) bool) {
		for start := range s.starts(key, seq) {
			other, ok := At(s.Rec, start)
			if other.bound = s.bound; ok && !yield(other) {
				return
			}
		}
	}
}

// starts are the first records of the syncs of Before.
func (s Sync) starts(key string, seq int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		begun := Begun(s.Rec, s.Start)
		for _, start := range slices.Backward(s.Rec.SyncsOf(s.Start.Actor, s.Start.Sync.Queue, key)) {
			if start < begun {
				return
			}
			if start < seq && !yield(start) {
				return
			}
		}
	}
}

// Begun is the last start of the process of the actor of a record before it, 0 for the first.
func Begun(rec *recording.Recording, record *trace.Record) int64 {
	_, suffix := trace.SplitActor(record.Actor)
	faults := rec.OfKind(trace.KindFault)
	for _, seq := range slices.Backward(faults) {
		r := rec.Record(seq)
		if seq < record.Seq && r.Fault.Effect == trace.EffectRestart && (suffix == "" || strings.HasSuffix(r.Actor, "-"+suffix[1:])) {
			return seq
		}
	}
	return 0
}

// Awaited counts the creations and deletions by earlier syncs of the key that the cache has not received. Controllers that
// have expectations neither create nor delete anything before (SatisfiedExpectations in pkg/controller/controller_utils.go).
func (s Sync) Awaited(resource string) (creations, deletions int) {
	seen := s.Cache(resource).Revision(s.Start.Seq)
	newer := s.Rec.WriteAfter(resource, seen)
	for start := range s.starts(s.Key(), s.Start.Seq) {
		if s.Start.At-s.Rec.At(start) > controller.ExpectationsTimeout {
			break
		}
		for _, effect := range s.Rec.Effects(start) {
			// The cache has what older records wrote. A request that failed wrote nothing.
			if s.Rec.Kind(effect) != trace.KindRequest || (newer == 0 || effect < newer) && !s.Rec.IsFailed(effect) {
				continue
			}
			q := s.Rec.Record(effect).Request
			if q.Resource != resource {
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

// SentAt is when the sync sent its first request of a verb; when it began, if it sent none.
func (s Sync) SentAt(verb string) time.Duration {
	for _, r := range s.Requests {
		if r.Request.Verb == verb {
			return r.Request.Sent
		}
	}
	return s.Start.At
}
