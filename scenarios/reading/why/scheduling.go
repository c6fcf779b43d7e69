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
func (i *Instant) scheduling(a *Answer, p *corev1.Pod) {
	if gates := gatesOf(p); gates != "" {
		a.Controller, a.Actor = "", "whoever set "+gates
		a.Next = "the removal of " + gates
		return
	}
	if i.dump != nil || !i.runs[trace.SchedulerActor] {
		return
	}
	if i.isUnserved(p) {
		a.Verdict, a.Controller, a.Actor = Held, "", "a scheduler that serves "+p.Spec.SchedulerName
		a.Next = "nothing by kube-scheduler: its profiles are those of kubernetes.schedulerConfig in the scenario, or only " +
			corev1.DefaultSchedulerName
		return
	}
	key := keyOf(a.Object)
	actor := i.actor(trace.SchedulerActor, key)
	a.Key, a.Process, a.Look = key, i.process(actor), i.look(actor, key, a.Object)
	if len(i.unable(a, actor, nil)) > 0 {
		a.Verdict, a.Next = Held, "nothing until that changes"
	} else {
		a.Next = i.part(actor, key)
		if a.Look != nil {
			a.Attempt = i.Explained(a.Look.Start)
		}
	}
	if a.Process == a.Controller {
		a.Process = ""
	}
}

// unscheduled says why a Pod has no node.
func (i *Instant) unscheduled(p *corev1.Pod) []string {
	text, tried := "kube-scheduler has not tried it yet", false
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			text, tried = c.Message, true
		}
	}
	var holds []string
	switch {
	case gatesOf(p) != "", i.dump != nil, !i.runs[trace.SchedulerActor]:
	case i.isUnserved(p):
		text = "no kube-scheduler in the run has a profile named " + p.Spec.SchedulerName + ", its spec.schedulerName"
	default:
		o := trace.Object{Resource: "pods", Namespace: p.Namespace, Name: p.Name}
		actor := i.actor(trace.SchedulerActor, keyOf(o))
		holds = i.unable(&Answer{Object: o, Process: i.process(actor), Look: i.look(actor, keyOf(o), o)}, actor, nil)
		if !tried && len(holds) > 0 {
			text, holds = holds[0], holds[1:]
		}
	}
	return append([]string{"Pod " + p.Name + " is not scheduled: " + text}, holds...)
}

// gatesOf names the scheduling gates of a Pod; empty if it has none.
func gatesOf(p *corev1.Pod) string {
	var gates []string
	for _, gate := range p.Spec.SchedulingGates {
		gates = append(gates, gate.Name)
	}
	if len(gates) == 0 {
		return ""
	}
	return "its " + trace.Plural(len(gates), "scheduling gate") + ": " + strings.Join(gates, ", ")
}

// parts say what the parts of kube-scheduler's queue mean for the Pods in them.
var parts = map[string]string{
	"active":  "its turn: it is in the active part of the queue",
	"backoff": "the end of its back-off, then another attempt; earlier if the queue has nothing else",
	"unschedulable": "an event that may help, such as a new Node or the end of a Pod: it is in the unschedulable part of the queue. " +
		"After five minutes there, kube-scheduler tries it again anyway, unless a plugin gates it",
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
