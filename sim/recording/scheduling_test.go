package recording

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/trace"
)

// scheduled is a run in which n Pods are created and enter the queue of kube-scheduler. It tries all but the last one, and moves each third
// Pod to the unschedulable ones; of these, it tries each second one again after a back-off.
func scheduled(t *testing.T, n int) *Recording {
	t.Helper()
	builder, seq := NewBuilder(), int64(0)
	add := func(record trace.Record) int64 {
		seq++
		record.Seq, record.At = seq, time.Duration(seq)*time.Second
		if err := builder.Add(&record); err != nil {
			t.Fatal(err)
		}
		return seq
	}
	enqueue := func(o trace.Object, queue string) int64 {
		queued := &trace.Enqueue{Queue: queue, Key: o.Namespace + "/" + o.Name}
		return add(trace.Record{Kind: trace.KindEnqueue, Actor: trace.SchedulerActor, Enqueue: queued})
	}
	try := func(o trace.Object, cause int64) {
		sync := trace.Sync{Queue: "scheduling", Key: o.Namespace + "/" + o.Name, Phase: trace.PhaseStart}
		start := add(trace.Record{Kind: trace.KindSync, Actor: trace.SchedulerActor, Cause: cause, Sync: &sync})
		end := sync
		end.Phase, end.Start = trace.PhaseEnd, start
		add(trace.Record{Kind: trace.KindSync, Actor: trace.SchedulerActor, Cause: start, Sync: &end})
	}
	text := `{"metadata":{"annotations":{"a":"` + strings.Repeat("a", 20_000) + `"}}}`
	for i := range n {
		o := pod(i)
		write := trace.Write{Op: trace.OpCreate, Object: o, UID: o.Name, RV: uint64(i + 1), New: []byte(text)}
		add(trace.Record{
			Kind: trace.KindRequest, Actor: "kubectl",
			Request: &trace.Request{Verb: "create", Object: o, Code: 201, Writes: []trace.Write{write}},
		})
		cause := enqueue(o, "active")
		if i == n-1 {
			break
		}
		if try(o, cause); i%3 == 0 {
			enqueue(o, "unschedulable")
		}
	}
	for i := 0; i < n; i += 6 {
		enqueue(pod(i), "backoff")
		try(pod(i), enqueue(pod(i), "active"))
	}
	return builder.Done(Origin{}, "")
}

// TestSchedulingQueueAt compares the queue of kube-scheduler after each record with that of a reader who goes through all records.
func TestSchedulingQueueAt(t *testing.T) {
	const n = 100
	run := scheduled(t, n)
	rec := outlined(t, run)
	last := rec.SchedulingQueueAt(trace.SchedulerActor, rec.Len())
	if len(last.Active) != 1 || len(last.Backoff) != 0 || len(last.Unschedulable) != n/6 {
		t.Errorf("the queue is %+v", last)
	}
	parts := map[string]string{}
	for record := range run.All() {
		switch {
		case record.Enqueue != nil:
			parts[record.Enqueue.Key] = record.Enqueue.Queue
		case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
			delete(parts, record.Sync.Key)
		}
		want := map[string][]string{}
		for key, part := range parts {
			want[part] = append(want[part], key)
		}
		got := map[string][]string{}
		q := rec.SchedulingQueueAt(trace.SchedulerActor, record.Seq)
		for part, keys := range map[string][]QueuedKey{"active": q.Active, "backoff": q.Backoff, "unschedulable": q.Unschedulable} {
			for _, key := range keys {
				got[part] = append(got[part], key.Key)
			}
			slices.Sort(want[part])
		}
		if unequal := cmp.Diff(want, got, cmp.Comparer(func(a, b []string) bool { return slices.Equal(a, b) })); unequal != "" {
			t.Fatalf("after record %d: %s", record.Seq, unequal)
		}
	}
}

// TestSchedulingQueueOfTriedPods asks an archive for the queue while no Pod waits in it: nothing is decompressed.
func TestSchedulingQueueOfTriedPods(t *testing.T) {
	run := scheduled(t, 2)
	if q := run.SchedulingQueueAt(trace.SchedulerActor, 4); len(q.Active)+len(q.Unschedulable) != 0 {
		t.Errorf("while the first Pod is tried, the queue is %+v", q)
	}
	rec := outlined(t, run)
	if q := rec.SchedulingQueueAt(trace.SchedulerActor, 4); len(q.Active)+len(q.Unschedulable) != 0 || rec.Unpacked() != 0 {
		t.Errorf("%d blocks were decompressed for %+v", rec.Unpacked(), q)
	}
}
