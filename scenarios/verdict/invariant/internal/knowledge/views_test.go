package knowledge

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestViews follows an informer: a list of revision 10 at 1s, events of 12 and 15 at 2s and 3s, and an old list of 11 at 9s. A
// sync begins at 2s and sends at 3s, another one does both at 9s.
func TestViews(t *testing.T) {
	v := New()
	list := func(at time.Duration, rv int) {
		v.Record(&trace.Record{At: at, Actor: "shared-informers", Request: &trace.Request{
			Verb: "list", Object: trace.Object{Resource: "pods"}, Code: 200, RV: strconv.Itoa(rv),
		}})
	}
	event := func(at time.Duration, rv uint64) {
		v.Record(&trace.Record{At: at, Actor: "shared-informers", Watch: &trace.Watch{Object: trace.Object{Resource: "pods"}, RV: rv}})
	}
	list(time.Second, 10)
	event(2*time.Second, 12)
	v.Record(&trace.Record{Seq: 7, At: 2 * time.Second, Sync: &trace.Sync{Phase: trace.PhaseStart}})
	event(3*time.Second, 15)
	request := &trace.Record{Cause: 7, At: 4 * time.Second, Actor: "job-controller", Request: &trace.Request{Sent: 3 * time.Second}}
	if got := v.Of("pods", request); got != (Span{10, 15}) {
		t.Errorf("the first sync: %v", got)
	}
	if got := v.Of("jobs.batch", request); got != (Span{0, ^uint64(0)}) {
		t.Errorf("a cache that nobody knows: %v", got)
	}
	list(9*time.Second, 11)
	request = &trace.Record{At: 9 * time.Second, Actor: "job-controller", Request: &trace.Request{Sent: 9 * time.Second}}
	if got := v.Of("pods", request); got != (Span{11, 15}) {
		t.Errorf("after the old list: %v", got)
	}
}

// TestViewsForget follows an informer for days. What it held a day ago is forgotten, unless a sync began then that has not ended.
func TestViewsForget(t *testing.T) {
	v := New()
	event := func(at time.Duration, rv uint64) {
		v.Record(&trace.Record{At: at, Actor: "shared-informers", Watch: &trace.Watch{Object: trace.Object{Resource: "pods"}, RV: rv}})
	}
	span := func(cause int64, sent time.Duration) Span {
		request := &trace.Record{Cause: cause, At: sent, Actor: "job-controller", Request: &trace.Request{Sent: sent}}
		return v.Of("pods", request)
	}
	const hour = time.Hour
	event(1*hour, 10)
	event(20*hour, 20)
	v.Record(&trace.Record{Seq: 7, At: 30 * hour, Sync: &trace.Sync{Phase: trace.PhaseStart}})
	event(40*hour, 30)
	event(100*hour, 40)
	if got := span(7, 100*hour); got != (Span{20, 40}) {
		t.Errorf("the sync that began at 30h: %v", got)
	}
	if got := span(0, 10*hour); got != (Span{20, 20}) {
		t.Errorf("a request of the first day, of which nothing is known any more: %v", got)
	}
	v.Record(&trace.Record{At: 101 * hour, Sync: &trace.Sync{Phase: trace.PhaseEnd, Start: 7}})
	event(130*hour, 50)
	if got := span(0, 125*hour); got != (Span{40, 40}) {
		t.Errorf("a request of the last day: %v", got)
	}
	if got := span(0, 40*hour); got != (Span{40, 40}) {
		t.Errorf("a request of the second day, of which nothing is known any more: %v", got)
	}
}

func TestHistory(t *testing.T) {
	var h History[string]
	h.Add(10, "a")
	h.Add(20, "b")
	h.Add(30, "c")
	for _, test := range []struct {
		span Span
		want []string
	}{
		{Span{10, 10}, []string{"a"}},
		{Span{15, 15}, []string{"a"}},
		{Span{15, 25}, []string{"b", "a"}},
		{Span{20, 99}, []string{"c", "b"}},
		// Before it was there at all, the first value is all there is.
		{Span{1, 5}, []string{"a"}},
	} {
		if got := h.In(test.span); !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.span, got, test.want)
		}
	}
}
