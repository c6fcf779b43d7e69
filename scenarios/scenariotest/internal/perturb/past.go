package perturb

import (
	"fmt"
	"math"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/trace"
)

// moment is a state that a user's change ended or began.
type moment struct {
	change Change
	where  string
	at     time.Duration
}

// history is how long the store keeps old states: kube-apiserver compacts them after five minutes.
const history = 5*time.Minute - place.Restart - behind

// moments are the states before each change, and those with an object that is about to be deleted, which are the ones that
// a controller confuses with the deletion of the next object of that name.
func (q *Quiet) moments() (moments []moment) {
	for _, c := range q.Changes {
		name := trace.ObjectName(c.Object)
		if c.Op != trace.OpCreate {
			moments = append(moments, moment{c, fmt.Sprintf("before the %s of %s", c.Op, name), c.At - time.Microsecond})
		}
		if c.Marks {
			moments = append(moments, moment{c, "during the deletion of " + name, c.At + time.Microsecond})
		}
	}
	return moments
}

// staleRestart lets the controller read each state of the past after each later change has been carried out: after the last
// write before the next change. Where it writes nothing, it only lists again.
func staleRestart(q *Quiet) (plans []Plan) {
	for _, past := range q.moments() {
		for i, seen := range q.Changes {
			next := time.Duration(math.MaxInt64)
			if i+1 < len(q.Changes) {
				next = q.Changes[i+1].At
			}
			if seen.At < past.change.At || next == seen.At {
				continue
			}
			list := format.FaultRule{
				Request: &format.FaultRequest{Actor: q.Actor, Verb: "list", Resource: notation.Plural(past.change.Object.Resource)},
				AsOf:    notation.NewDuration(past.at), Times: 1,
			}
			watch := format.FaultRule{Watch: &format.FaultWatch{Actor: q.Actor, Resource: notation.Plural(past.change.Object.Resource)}}
			from := seen.At
			var begin format.FaultRule
			if w := q.lastWrite(seen.At, next); w != nil {
				from, begin = w.At, w.Crash(place.Restart)
			} else {
				from, begin = from+behind, watch
				begin.Expire, begin.At = true, notation.NewDuration(place.Rounded(from))
			}
			if from-past.at > history {
				continue
			}
			list.At = notation.NewDuration(place.Rounded(from))
			watch.Hold, watch.At, watch.For = true, list.At, notation.NewDuration(place.Restart+behind)
			plans = append(plans, Plan{
				Place: fmt.Sprintf("at %s, the state %s", notation.Text(place.Rounded(from)), past.where),
				Rules: []format.FaultRule{begin, list, watch},
			})
		}
	}
	return plans
}

// missedChange holds back the events of an object from one change to the next.
func missedChange(q *Quiet) (plans []Plan) {
	for i, first := range q.Changes {
		for _, second := range q.Changes[i+1:] {
			if second.Object != first.Object {
				continue
			}
			watch := &format.FaultWatch{
				Actor: q.Actor, Resource: notation.Plural(first.Object.Resource),
				Namespace: first.Object.Namespace, Name: first.Object.Name,
			}
			plans = append(plans, Plan{
				Place: fmt.Sprintf("%s and %s of %s", first.Op, second.Op, trace.ObjectName(first.Object)),
				Rules: []format.FaultRule{{
					Watch: watch, Hold: true, Coalesce: true, At: notation.NewDuration(place.Rounded(first.At)),
					For: notation.NewDuration(place.Rounded(second.At-first.At) + place.Restart),
				}},
			})
			break
		}
	}
	return plans
}

// downAtChange crashes the controller at its last write before a change, and starts it after the change.
func downAtChange(q *Quiet) (plans []Plan) {
	from := time.Duration(0)
	for _, change := range q.Changes {
		if w := q.lastWrite(from, change.At); w != nil {
			plans = append(plans, Plan{
				Place: fmt.Sprintf("%s of %s", change.Op, trace.ObjectName(change.Object)),
				Rules: []format.FaultRule{w.Crash(place.Rounded(change.At-w.At) + place.Restart)},
			})
		}
		from = change.At
	}
	return plans
}
