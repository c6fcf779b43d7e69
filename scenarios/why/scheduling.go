package why

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// scheduler is the kube-scheduler that last tried a Pod, or the first one; empty where the scheduler is a stand-in, which makes no
// attempts.
func (i *Instant) scheduler(key string) string {
	if !i.runs[trace.SchedulerActor] {
		return ""
	}
	best, last := trace.SchedulerActor, int64(0)
	for of := range i.syncs {
		if name, _ := trace.SplitActor(of.actor); name != trace.SchedulerActor || of.key != key {
			continue
		}
		if seq := i.lastSync(of.actor, key); seq > last {
			best, last = of.actor, seq
		}
	}
	return best
}

// scheduling completes the answer for a Pod without a node by what kube-scheduler found out about it.
func (i *Instant) scheduling(a *Answer) {
	actor := i.scheduler(keyOf(a.Object))
	if actor == "" || i.dump != nil {
		return
	}
	a.Key, a.Process = keyOf(a.Object), i.process(actor)
	if a.Process == a.Controller {
		defer func() { a.Process = "" }()
	}
	a.Look = i.look(actor, a.Key, a.Object)
	if p := i.Process(a.Process); p.State == Dead || p.State == Paused {
		a.Verdict, a.Next = Held, "nothing, as long as that lasts"
		a.Holds = append(a.Holds, fmt.Sprintf("%s is %s since %s: it %s", p.Name, p.State, trace.Seconds(p.Since), p.Why))
		return
	}
	a.Next = i.part(actor, a.Key)
	if pod, ok := i.object(a.Object).(*corev1.Pod); ok && len(pod.Spec.SchedulingGates) > 0 {
		var gates []string
		for _, gate := range pod.Spec.SchedulingGates {
			gates = append(gates, gate.Name)
		}
		a.Next = "the removal of its scheduling gates: " + strings.Join(gates, ", ")
	}
	if a.Look != nil {
		a.Attempt = i.Explained(a.Look.Start)
	}
}

// parts say what the parts of kube-scheduler's queue mean for the Pods in them.
var parts = map[string]string{
	"active":  "its turn: it is in the active part of the queue",
	"backoff": "the end of its back-off, after which it is tried again; earlier if nothing else is to do",
	"unschedulable": "an event that may help, such as a Node that is added or a Pod that ends: it is in the unschedulable part of the queue. " +
		"After five minutes there it is tried again anyway, unless a plugin gates it",
}

// failedEvent is why a Pod is in a part of the queue after an attempt that failed (framework.ScheduleAttemptFailure).
const failedEvent = "ScheduleAttemptFailure"

// part says in which part of the queue a Pod is, and so when it is tried again.
func (i *Instant) part(actor, key string) string {
	of := i.rec.OfActor(actor)
	for _, seq := range slices.Backward(of[:firstAfter(of, i.seq)]) {
		record := i.rec.Record(seq)
		switch {
		case record.Sync != nil && record.Sync.Key == key && record.Sync.Phase == trace.PhaseStart:
			return "the end of the attempt"
		case record.Enqueue != nil && record.Enqueue.Key == key:
			text := parts[record.Enqueue.Queue] + "; since " + trace.Seconds(record.At)
			if record.Enqueue.Event != failedEvent {
				text += ", because of " + record.Enqueue.Event
			}
			return text
		}
	}
	return ""
}

// placed says why a Pod is on its node, from the attempt that bound it, if that is known.
func (i *Instant) placed(a *Answer) {
	if a.Object.Resource != "pods" || i.dump != nil {
		return
	}
	key := keyOf(a.Object)
	actor := i.scheduler(key)
	if actor == "" {
		return
	}
	for start := i.lastSync(actor, key); start != 0; start = recording.Previous(i.syncs[queued{actor, key}], start) {
		end := i.rec.Record(i.rec.SyncEnd(start))
		if end == nil || end.Seq > i.seq || end.Sync.Attempt == nil || end.Sync.Attempt.Skipped {
			continue
		}
		e := i.Explained(start)
		if e == nil || end.Sync.Attempt.Node == "" {
			return
		}
		a.Attempt, a.Placed = e, fmt.Sprintf("%s, record %d: %s", trace.Seconds(e.At), start, e.Verdict)
		if n := end.Sync.Attempt.Number; n > 1 {
			a.Placed += fmt.Sprintf("; attempt %d", n)
		}
		return
	}
}
