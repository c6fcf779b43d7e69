package why

import (
	"fmt"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Next says when a controller looks at a key again.
type Next struct {
	// Text is a sentence; Acts reports whether something that is known makes the controller look again.
	Text string        `json:"text"`
	Acts bool          `json:"acts"`
	At   time.Duration `json:"at,omitempty"`
	// periodic means that it only comes by in a round through all objects.
	periodic bool
}

// next is what will make an actor look at a key again, as far as that is known at this instant.
func (i *Instant) next(actor, key string, look *Look) Next {
	if look != nil && look.End == 0 {
		return Next{Text: "its sync has not ended", Acts: true}
	}
	if start := recording.Next(i.syncs[queued{actor, key}], i.seq); start != 0 {
		if cause := i.rec.Record(i.rec.Record(start).Cause); cause != nil && cause.Enqueue != nil && cause.Seq <= i.seq {
			return Next{Text: "now: the key has been in its queue since " + trace.Seconds(cause.At), Acts: true, At: i.rec.At(start)}
		}
	}
	if at, ok := i.due(actor, key); ok {
		text := fmt.Sprintf("at %s, in %s: a timer adds the key to its queue", trace.Seconds(at), recording.Short(at-i.at))
		if look != nil && look.Failures > 0 {
			text = fmt.Sprintf("at %s, in %s: the back-off after %s ends", trace.Seconds(at), recording.Short(at-i.at),
				trace.Count(look.Failures, "failure"))
		}
		return Next{Text: text, Acts: true, At: at}
	}
	if look != nil && look.requeued {
		return i.afterwards(actor, key, look)
	}
	process := i.process(actor)
	if at := i.rec.At(i.started(process)); look == nil && i.started(process) != 0 && i.at-at < liveness.Patience {
		return Next{Text: "soon: " + process + " started at " + trace.Seconds(at) + " and first looks at all objects", Acts: true}
	}
	name, _ := trace.SplitActor(actor)
	if period := controllers.Of(name).Period; period > 0 {
		return Next{Text: "within " + recording.Short(period) + ": the controller looks at all objects again", Acts: true, periodic: true}
	}
	return Next{Text: "nothing: the key is not queued and has no timer, until one of its objects changes or its informers resync " +
		"(12 h to 24 h after their start)"}
}

// afterwards says when a key comes back that a look requeued with a delay, although the recording does not show the end of it.
func (i *Instant) afterwards(actor, key string, look *Look) Next {
	text := "a timer: the controller requeued the key with a delay that the recording does not show"
	switch end := max(i.rec.At(i.rec.Len()), i.rec.End); {
	case look.Ends > i.at:
		text = fmt.Sprintf("at %s, in %s: the back-off ends", trace.Seconds(look.Ends), recording.Short(look.Ends-i.at))
		return Next{Text: text, Acts: true, At: look.Ends}
	case recording.Next(i.syncs[queued{actor, key}], i.seq) == 0:
		text = fmt.Sprintf("after the end of the recording at %s: the controller requeued the key with a delay", trace.Seconds(end))
	}
	return Next{Text: text, Acts: true}
}

// due is when a timer that runs adds the key to its queue. The record of a timer does not always have the key, but the sync that
// follows has.
func (i *Instant) due(actor, key string) (time.Duration, bool) {
	if at, ok := i.rec.Due(actor, key, i.seq); ok {
		return at, true
	}
	start := recording.Next(i.syncs[queued{actor, key}], i.seq)
	if start == 0 {
		return 0, false
	}
	added := i.rec.Record(i.rec.Record(start).Cause)
	if added == nil || added.Enqueue == nil || added.Cause > i.seq {
		return 0, false
	}
	timer := i.rec.Record(added.Cause)
	return added.At, timer != nil && timer.Timer != nil
}

// later describes a record that follows in the recording, which nobody could know of; empty if there is none.
func (i *Instant) later(seq int64) string {
	record := i.rec.Record(seq)
	switch {
	case record == nil:
		return ""
	case record.Sync == nil:
		return i.place(seq)
	}
	text := trace.Seconds(record.At) + ": the controller looks again"
	switch because := i.rec.Because(record); {
	case because.Brief() == "", because.Forgotten:
		return text
	case because.Clause:
		return text + ", because " + because.Brief()
	default:
		return text + ", because of " + because.Brief()
	}
}
