package film_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/recording/film"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

const (
	ms         = time.Millisecond
	controller = "replicaset-controller"
)

var (
	pod = trace.Object{Resource: "pods", Namespace: "default", Name: "web-1"}
	set = trace.Object{Resource: "replicasets.apps", Namespace: "default", Name: "web"}
)

// write is a request that writes an object, caused by an earlier record.
func write(at time.Duration, actor string, cause int64, o trace.Object, subresource string, w trace.Write) *trace.Record {
	w.Object = o
	return &trace.Record{At: at, Actor: actor, Kind: trace.KindRequest, Cause: cause, Request: &trace.Request{
		Verb: string(w.Op), Object: o, Subresource: subresource, Code: 200, Writes: []trace.Write{w},
	}}
}

func sync(at time.Duration, phase trace.Phase, start int64) *trace.Record {
	return &trace.Record{At: at, Actor: controller, Kind: trace.KindSync, Cause: start, Sync: &trace.Sync{Phase: phase, Key: "default/web", Start: start}}
}

// recorded is a run in which a controller creates a Pod, which becomes ready two seconds later, and reports it.
func recorded(t *testing.T) *recording.Recording {
	t.Helper()
	changed := func(path string) trace.Write {
		return trace.Write{Op: trace.OpUpdate, RV: 9, Before: 8, Changes: []diff.Change{{Path: path, New: []byte(`1`)}}}
	}
	created := func(name string) trace.Write {
		return trace.Write{Op: trace.OpCreate, RV: 1, New: []byte(`{"metadata":{"name":"` + name + `"}}`)}
	}
	b := recording.NewBuilder()
	for i, record := range []*trace.Record{
		{Kind: trace.KindAction, Action: &trace.Action{Verb: "create"}},
		write(ms, "kubectl", 1, set, "", created("web")),
		sync(2*ms, trace.PhaseStart, 0),
		write(3*ms, controller, 3, pod, "", created("web-1")),
		sync(4*ms, trace.PhaseEnd, 3),
		write(2*time.Second, "kubelet", 0, pod, "status", changed("status.phase")),
		sync(2001*ms, trace.PhaseStart, 0),
		write(2002*ms, controller, 7, set, "status", changed("status.replicas")),
		sync(2003*ms, trace.PhaseEnd, 7),
		write(2004*ms, "kubectl", 0, set, "", changed("spec.replicas")),
	} {
		record.Seq = int64(i + 1)
		if err := b.Add(record); err != nil {
			t.Fatal(err)
		}
	}
	return b.Done(recording.Origin{}, "")
}

// TestBeats paces a run: the sync that creates a Pod is a decision and has the longest beat, a step is shorter, a change shorter still,
// and what only reports goes by. The wait for the Pod is seen, but not for two seconds.
func TestBeats(t *testing.T) {
	f := film.New(recorded(t), nil)
	if diff := cmp.Diff([]int64{3}, f.Decisions()); diff != "" {
		t.Errorf("decisions: -want +got\n%s", diff)
	}
	for _, c := range []struct {
		seq, next int64
		want      time.Duration
	}{
		{1, 2, 700 * ms}, {2, 3, 200 * ms}, {3, 4, 1500 * ms}, {4, 6, 900 * ms}, {5, 6, 900 * ms}, {6, 7, 200 * ms},
		{7, 8, 50 * ms}, {8, 10, 50 * ms}, {9, 10, 20 * ms}, {10, 0, 200 * ms},
	} {
		if got := f.Beat(c.seq, c.next); got != c.want {
			t.Errorf("record %d before %d: %v, want %v", c.seq, c.next, got, c.want)
		}
	}
	if want := (700 + 200 + 1500 + 900 + 200 + 50 + 50 + 200) * ms; f.Length() != want {
		t.Errorf("the film takes %v, want %v", f.Length(), want)
	}
}

// lesson is a run that directs its reader to the controller and to the ReplicaSet web, and asks while Pods get ready.
func lesson(t *testing.T) *recording.Recording {
	t.Helper()
	status := func(at time.Duration, actor string, o trace.Object) *trace.Record {
		return write(at, actor, 0, o, "status", trace.Write{Op: trace.OpUpdate, RV: 9, Before: 8})
	}
	other := trace.Object{Resource: "pods", Namespace: "default", Name: "other"}
	owned := trace.Write{Op: trace.OpCreate, RV: 2, UID: "p", New: []byte(
		`{"metadata":{"name":"web-1","uid":"p","ownerReferences":[{"uid":"w","controller":true}]}}`)}
	b := recording.NewBuilder()
	for i, record := range []*trace.Record{
		write(ms, "kubectl", 0, set, "", trace.Write{Op: trace.OpCreate, RV: 1, UID: "w", New: []byte(`{"metadata":{"name":"web","uid":"w"}}`)}),
		write(2*ms, controller, 0, other, "", trace.Write{Op: trace.OpCreate, RV: 1, UID: "o", New: []byte(`{"metadata":{"uid":"o"}}`)}),
		{Kind: trace.KindShow, Show: &trace.Show{Focus: []string{controller, "replicaset/web"}}},
		write(3*ms, controller, 0, pod, "", owned),
		status(4*ms, controller+"@2", set), // the replicas of a controller are one component
		status(5*ms, controller, set),
		status(6*ms, "kubelet", other),
		status(7*ms, "kubelet", pod), // its owner is the ReplicaSet
		{Kind: trace.KindAsk, Ask: &trace.Ask{}},
		status(8*ms, controller, set),
		status(9*ms, "kubelet", other),
		status(10*ms, controller, set),
		{Kind: trace.KindAnswer, Answer: &trace.Answer{}},
		status(11*ms, controller, set),
	} {
		record.Seq = int64(i + 1)
		record.At = max(record.At, time.Duration(i)*ms)
		if err := b.Add(record); err != nil {
			t.Fatal(err)
		}
	}
	return b.Done(recording.Origin{}, "")
}

// TestSubject holds that the first message of each kind that a lesson is about takes as long as a decision: after the direction, and once
// more while the question is open. Messages of others, and those before, get the longest beat of a message in a short lesson.
func TestSubject(t *testing.T) {
	rec := lesson(t)
	f := film.New(rec, []film.Subject{{Seq: 3, Programs: []string{controller}, Objects: []trace.Object{set}}})
	got := map[int64]time.Duration{}
	for _, seq := range rec.Marks().Story {
		got[seq] = f.Beat(seq, 0)
	}
	want := map[int64]time.Duration{
		1: time.Second, 2: time.Second, 4: 1500 * ms, 5: 1500 * ms, 6: time.Second, 7: time.Second, 8: 1500 * ms,
		9: 200 * ms, 10: 1500 * ms, 11: time.Second, 12: time.Second, 13: 200 * ms, 14: time.Second,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("beats: -want +got\n%s", diff)
	}
	if other := film.New(rec, nil); other.Beat(5, 0) != time.Second || other.Beat(10, 0) != 1500*ms || other.Beat(11, 0) != 1500*ms {
		t.Errorf("without a direction only the question counts: %v, %v, %v", other.Beat(5, 0), other.Beat(10, 0), other.Beat(11, 0))
	}
}

// TestPlaces holds that the bar of a film keeps the order of records, that the time of each is found again at its place, and that only
// the wait for the Pod is shortened.
func TestPlaces(t *testing.T) {
	rec := recorded(t)
	f, last := film.New(rec, nil), -1.0
	for _, seq := range rec.Marks().Story {
		place := f.Place(seq, rec.At(seq))
		if place <= last || place > 1 {
			t.Errorf("record %d is at %v, after %v", seq, place, last)
		}
		last = place
		at, cut := f.Time(place)
		if distance := (at - rec.At(seq)).Abs(); distance > time.Microsecond {
			t.Errorf("at the place of record %d is %v", seq, at)
		}
		if shown := f.Record(place); shown != seq {
			t.Errorf("at the place of record %d is record %d", seq, shown)
		}
		if cut != (seq == 4) {
			t.Errorf("record %d: shortened %v", seq, cut)
		}
	}
	if last > 0.95 {
		t.Errorf("the last record begins at %v: it is shown, too", last)
	}
	if half, quarter := f.Place(4, time.Second), f.Place(5, time.Second/2); quarter >= half || quarter <= f.Place(4, 3*ms) {
		t.Errorf("in the wait, half a second is at %v, and a second at %v", quarter, half)
	}
}

// TestPace is below one where much happens in milliseconds, and above it in a wait.
func TestPace(t *testing.T) {
	f := film.New(recorded(t), nil)
	if start := f.Pace(0); start > 0.1 {
		t.Errorf("at the start one second of the film is %v seconds", start)
	}
	if whole, want := f.Pace(f.Place(6, 2*time.Second)), 2.004/3.8; whole < want/2 || whole > want*2 {
		t.Errorf("around the wait one second of the film is %v seconds, want about %v", whole, want)
	}
}
