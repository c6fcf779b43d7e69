package liveness

import (
	"time"

	"github.com/kubestep/kubestep/controllers"
)

// Verdict is what is to be expected of an object that is not in its desired state. A run judges at its end and before its steps,
// package why at any record; both ask Judge.
type Verdict string

// The verdicts.
const (
	// Held is an object whose controller cannot act: it is left out, dead or paused, its request is held, or its cache is stale.
	Held Verdict = "held"
	// Waiting is an object that waits for something outside its controller.
	Waiting Verdict = "waiting"
	// Working is an object whose controller will look at it again by itself, and may then do something.
	Working Verdict = "in progress"
	// Stuck is an object whose controller could act, but nothing will make it look, or it looks in vain.
	Stuck Verdict = "stuck"
)

// Meaning is the definition of a verdict, which docs/howto/why-is-nothing-happening.md has.
func (v Verdict) Meaning() string {
	return map[Verdict]string{
		Held: "Its controller cannot act: the scenario omits it, its process is dead or paused, its request is held, its cache is stale, " +
			"the kubelet of its node is down, or a webhook does not convert a custom resource.",
		Waiting: "The object waits for something outside its controller.",
		Working: "Its controller looks at the object again without another trigger, and has not looked in vain for a minute; or it is a " +
			"relation between objects, or a time that has passed, and less than a minute ago.",
		Stuck: "Its controller could act, but nothing triggers a sync, or its syncs have changed nothing for a minute.",
	}[v]
}

// Patience is how long a controller may take for an object, and for how long nothing is written in a simulation that is at rest.
const Patience = time.Minute

// Prospect is what is known of the controller of an object that is not in its desired state.
type Prospect struct {
	// Unable means that the controller cannot act.
	Unable bool
	// Again means that the controller will look at the object again: its key is queued, or a timer or a back-off runs.
	Again bool
	// Failed means that its last look failed, and Nothing that it looked since the object lacks something, and wrote nothing.
	Failed, Nothing bool
	// Idle is for how long it has not looked.
	Idle time.Duration
	// Lasts is for how long the object has lacked something.
	Lasts time.Duration
}

// Judge is the verdict about an object.
func (f *Finding) Judge(p Prospect) Verdict {
	period := controllers.Of(f.Controller).Period
	// What a timer or a period brings is the same look once more.
	vain := !p.Failed && (p.Nothing || !p.Again) && p.Lasts >= max(Patience, period)
	// node-lifecycle-controller, for example, looks at all nodes every 5 s for one purpose, but not again at the key of a node whose taint
	// it failed to write.
	vain = vain || p.Failed && !p.Again && p.Idle >= max(Patience, 2*period)
	switch {
	case p.Unable:
		return Held
	case f.For != "":
		return Waiting
	case (p.Again || period > 0) && !vain, (!f.Since.IsZero() || f.Goal.Relation != "") && p.Lasts < Patience:
		return Working
	}
	return Stuck
}

// Denied notes that the API server forbids what the controller of an object wants, with a quota for example: the object waits for that.
func (f *Finding) Denied(message string) {
	if f.For == "" {
		f.For, f.Refused = "the API server to accept its request: "+message, true
	}
}
