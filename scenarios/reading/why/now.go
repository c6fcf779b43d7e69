package why

import (
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// recent is the age up to which a look counts as the present.
const recent = time.Second

// Now is a sentence about an object of a workload that is true at this instant: what keeps its controller from acting, or else
// what it decided when it looked last, how long ago that is, and when it looks again; and what upstream's kubelet waits for if the
// object waits for a Pod. It does not foretell what happens after the next question of the scenario. It is empty if the controller of the
// resource is not explained.
func (i *Instant) Now(o trace.Object) string {
	controller := explain.ControllerOf(o.Resource)
	if controller == "" {
		return ""
	}
	key := keyOf(o)
	actor := i.actor(controller, key)
	a := &Answer{Object: o, Controller: controller, Process: i.process(actor), Key: key, Look: i.look(actor, key, o)}
	if holds := i.unable(a, actor, func(at time.Duration) bool { return i.rec.AsksBefore(at, i.seq) }); len(holds) > 0 {
		return holds[0] + "; " + i.age(a)
	}
	if a.Look == nil {
		return controller + " has not looked at the object yet"
	}
	text := a.Look.Did
	if e := i.Explained(a.Look.Start); e != nil && !e.Deferred {
		text = briefly(e)
	}
	// A conflict is part of an ordinary rollout: the controller repeats the sync a moment later.
	if a.Look.Failures > 1 || a.Look.Failures == 1 && !a.Look.conflict {
		text = "its last sync failed: " + a.Look.Error
	}
	if a.Look.End == 0 && i.IsInterrupted(a.Look.Start) {
		return "its sync " + a.Look.Did
	}
	pod := ""
	if hold := i.podOf(o); hold != "" {
		pod = "; " + hold
	}
	if a.Look.End == 0 {
		return text + pod
	}
	var parts []string
	if i.at-a.Look.At >= recent {
		parts = append(parts, "looked "+recording.Short(i.at-a.Look.At)+" ago")
	}
	if a.Look.Failures > 1 {
		parts = append(parts, trace.Count(a.Look.Failures, "failure")+" in a row")
	}
	switch next := i.next(actor, key, a.Look); {
	case i.rec.AsksBefore(next.At, i.seq):
	case next.At > 0 && next.At-i.at >= recent:
		parts = append(parts, "looks again in "+recording.Short(next.At-i.at))
	case !next.Acts && a.Look.Failures > 0:
		parts = append(parts, "dropped, nothing triggers another look")
	}
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text + pod
}

// IsInterrupted reports whether the scenario asks a question between this instant and the end of a sync. What the sync decides is part of
// the question.
func (i *Instant) IsInterrupted(start int64) bool {
	end := i.rec.SyncEnd(start)
	notes := i.rec.Marks().Notes
	for seq := recording.Next(notes, i.seq-1); seq != 0 && seq < end; seq = recording.Next(notes, seq) {
		if i.rec.Record(seq).Ask != nil {
			return true
		}
	}
	return false
}

// age says when the controller looked last.
func (i *Instant) age(a *Answer) string {
	if a.Look == nil {
		return a.Controller + " has not looked at the object yet"
	}
	return a.Controller + " looked " + recording.Short(i.at-a.Look.At) + " ago"
}

// briefly is a verdict without the answer to a request that was refused: the controller tries again.
func briefly(e *arithmetic.Explanation) string {
	if e.Refused != "" {
		return e.Decision()
	}
	return e.Verdict
}
