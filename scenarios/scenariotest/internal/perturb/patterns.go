package perturb

import (
	"cmp"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/cluster/node"
)

// Pattern is one way in which things go wrong.
type Pattern struct {
	Name string
	// Sentence says what goes wrong, and Wrong what a controller does that does not expect it.
	Sentence, Wrong string

	plans func(*Quiet) []Plan
}

// Plan is one place at which a pattern applies.
type Plan struct {
	Pattern string
	// Place says where, in words: after create configmaps/web-1.
	Place string
	Rules []format.FaultRule
}

// Patterns lists the patterns.
func Patterns() []Pattern {
	return []Pattern{
		{
			"crash-after-write", "The controller crashes right after one of its writes, and starts again 500ms later.",
			"It does not finish its work, or starts it again.", crashAfterWrite,
		},
		{
			"lost-answer", "A write is executed, but its answer is a timeout.",
			"It makes the same write again, because it does not know that the first one succeeded.", lostAnswer,
		},
		{
			"refused-write", "A write fails with an internal error, once.",
			"It does not try again, or not from the start.", refusedWrite,
		},
		{
			"late-answer", "A write is executed, and the controller sees its event, 2s before its answer arrives.",
			"It takes a slow answer for a failure, and makes the write again.", lateAnswer,
		},
		{
			"conflict", "An update fails with a conflict, once.",
			"It gives up, or overwrites the change of another client.", conflict,
		},
		{
			"late-events", "After one of its writes, the controller does not see changes of that resource for 1s.",
			"It does not find its own last write, and makes it again.", lateEvents,
		},
		{
			"swapped-answer", "The answer and the watch event of a write arrive in the other order, milliseconds apart.",
			"It takes for granted that its cache has its own write already, or not yet.", swappedAnswer,
		},
		{
			"rejected-pod", "The kubelet of its node rejects a Pod that a controller has made. It tries this if the controller watches Pods.",
			"It takes a Pod that has failed for good for one that runs, or will run.", rejectedPod,
		},
		{
			"late-timer", "A sync that asks for its key to be added again after a time is suspended for 5s, and so the key comes 5s late.",
			"It leaves out what it is too late for, or takes a time that it has set for the time that has passed.", lateTimer,
		},
		{
			"stale-restart", "The controller restarts, lists an outdated state, and sees the current one 1s later. A client that streams its " +
				"lists (client-go's WatchListClient) always gets the newest state.",
			"It carries out an old decision on new objects.", staleRestart,
		},
		{
			"missed-change", "The controller sees two changes as one.",
			"It waits for a state that it has missed.", missedChange,
		},
		{
			"down-at-change", "The controller is down while a user makes a change.",
			"It relies on events that it does not receive, instead of the state.", downAtChange,
		},
		{
			"webhook-refused", "The API server cannot connect to a webhook that the controller serves, once: `failurePolicy` decides.",
			"It does not retry what its own webhook refuses, or relies on a webhook with failurePolicy Ignore.", webhookRefused,
		},
		{
			"webhook-timeout", "A webhook that the controller serves does not answer in time, once: `failurePolicy` decides.",
			"It treats the timeout as a refusal, or delays its other work until then.", webhookTimeout,
		},
		{
			"webhook-slow", "A webhook that the controller serves answers 2s later, once.",
			"It gives up before the answer, or decides on an outdated state.", webhookSlow,
		},
	}
}

func (q *Quiet) eachWrite(where string, fits func(*place.Write) bool, rule func(*place.Write) format.FaultRule) (plans []Plan) {
	for i := range q.Writes {
		if w := &q.Writes[i]; fits(w) {
			plans = append(plans, Plan{Place: where + " " + w.String(), Rules: []format.FaultRule{rule(w)}})
		}
	}
	return plans
}

func always(*place.Write) bool { return true }

func crashAfterWrite(q *Quiet) []Plan {
	return q.eachWrite("after", always, func(w *place.Write) format.FaultRule { return w.Crash(place.Restart) })
}

func lostAnswer(q *Quiet) []Plan { return q.eachWrite("of", always, (*place.Write).Lose) }

func refusedWrite(q *Quiet) []Plan { return q.eachWrite("at", always, (*place.Write).Refuse) }

func lateAnswer(q *Quiet) []Plan { return q.eachWrite("of", always, (*place.Write).Late) }

// conflict leaves out patches: most have no resourceVersion, and so no conflicts.
func conflict(q *Quiet) []Plan {
	return q.eachWrite("at", func(w *place.Write) bool { return w.Verb == "update" }, (*place.Write).Conflict)
}

// placesOf are the places of a kind of package place, in the order of time.
func (q *Quiet) placesOf(kind string) (plans []Plan) {
	places := slices.DeleteFunc(q.look.Places(), func(p place.Place) bool {
		return p.Kind != kind || p.Actor != q.Actor && p.Actor != node.Actor
	})
	slices.SortStableFunc(places, func(a, b place.Place) int { return cmp.Compare(a.At, b.At) })
	for _, p := range places {
		plans = append(plans, Plan{Place: p.What, Rules: p.Rules})
	}
	return plans
}

func swappedAnswer(q *Quiet) []Plan { return q.placesOf("swapped-answer") }

func lateTimer(q *Quiet) []Plan { return q.placesOf("late-timer") }

func rejectedPod(q *Quiet) []Plan {
	if !q.watched["pods"] {
		return nil
	}
	return q.placesOf("rejected-pod")
}

// behind is how long a cache is behind.
const behind = time.Second

func lateEvents(q *Quiet) []Plan {
	return q.eachWrite("after", func(w *place.Write) bool { return q.watched[w.Resource] }, func(w *place.Write) format.FaultRule {
		return format.FaultRule{
			Watch: &format.FaultWatch{Actor: q.Actor, Resource: notation.Plural(w.Resource)},
			Hold:  true, At: notation.NewDuration(place.Rounded(w.At)), For: notation.NewDuration(behind),
		}
	})
}
