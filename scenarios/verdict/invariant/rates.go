package invariant

import (
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/verdict/contention"
	"github.com/kubestep/kubestep/sim/trace"
)

const (
	// busyWrites is how often a controller may write in a minute without an explanation: the fastest clock of upstream's controllers is
	// that of the HorizontalPodAutoscaler, four times a minute.
	busyWrites = 20
	// answers is how many writes of a controller one change of others explains. A Pod that becomes Ready changes the status of its
	// ReplicaSet, and that is available a little later.
	answers = 3
	// busyMinutes is how many minutes in a row have to be busy.
	busyMinutes = 2
)

// rates counts how often each controller updates each object in each virtual minute, how often it is refused with 409, how often it asks
// for what changes nothing, and how much others have written in that minute: users, kubelets, the scheduler. It keeps two numbers for an
// object that is written often, or asked for in vain, and none for others.
type rates struct {
	run *Run
	// minute is the current one; others and before are the writes of others in it, and in the one before it.
	minute         int64
	others, before int
	counts         map[written]*rate
}

type written struct {
	actor  string
	object trace.Object
	work   HotWork
}

// rate is how often an object was written in a minute. Of the minutes before it, busy were so in a row, with that sum of writes.
type rate struct {
	minute           int64
	count, sum, busy int
}

func newRates(r *Run) *rates { return &rates{run: r, counts: map[written]*rate{}} }

// requested takes a request, and returns the object that it writes, or fails to, if that is hot. Of updates, only those of objects are
// counted that contention looks at.
func (r *rates) requested(record *trace.Record, isController bool, often *contention.Finder) *Hot {
	request := record.Request
	work := workOf(record)
	if work == "" || request.Resource == "events" || request.Resource == "leases.coordination.k8s.io" {
		return nil
	}
	r.turn(int64(record.At / time.Minute))
	switch {
	case isController:
	case work == HotUpdates:
		r.others++
		return nil
	default:
		return nil
	}
	if work == HotConflicts && request.Reason == string(metav1.StatusReasonConflict) {
		// It would have been an update.
		r.count(written{record.Actor, request.Object, HotUpdates})
	}
	which := written{record.Actor, request.Object, work}
	if r.counts[which] == nil {
		if work == HotUpdates && !often.LooksAt(request.Object) {
			return nil
		}
		r.begin(which)
	}
	rate, isHot := r.count(which)
	if !isHot {
		return nil
	}
	hot := &Hot{
		Object: trace.ObjectName(request.Object), Controllers: []string{record.Actor}, Work: work,
		Count: rate.sum, Resource: request.Resource, first: time.Duration(r.minute-int64(rate.busy)) * time.Minute,
	}
	switch work {
	case HotUpdates:
		hot.Field = changed(record)
	case HotNothing:
		hot.Verb = request.Verb
	case HotConflicts:
		hot.Verb, hot.Refusal = request.Verb, request.Reason
	}
	hot.until(time.Duration(r.minute) * time.Minute)
	return hot
}

// workOf is what a request is counted as: an update or another write, a refusal with 409, a change that changes nothing, or nothing of all
// that. What a fault answers does not count.
func workOf(record *trace.Record) HotWork {
	request := record.Request
	switch {
	case len(request.Writes) > 0:
		return HotUpdates
	case record.FaultSeq != 0:
	case request.Code == http.StatusConflict:
		return HotConflicts
	case request.Code >= http.StatusBadRequest && (request.Verb != "delete" || request.Code != http.StatusNotFound):
	case request.Verb == "update" || request.Verb == "patch" || request.Verb == "delete":
		return HotNothing
	}
	return ""
}

// count counts once more, if there is a rate, and reports whether the minutes before were hot.
func (r *rates) count(which written) (*rate, bool) {
	rate := r.counts[which]
	if rate == nil {
		return nil, false
	}
	isHot := rate.turn(r.minute, busyWrites+answers*r.before)
	rate.count++
	return rate, isHot
}

func (r *rates) begin(which written) { r.counts[which] = &rate{minute: r.minute} }

// turn begins a minute, and drops what was not written in the one before.
func (r *rates) turn(minute int64) {
	if minute == r.minute {
		return
	}
	r.before = r.others
	if minute > r.minute+1 {
		r.before = 0
	}
	r.minute, r.others = minute, 0
	for which, rate := range r.counts {
		if rate.minute < minute-1 {
			delete(r.counts, which)
		}
	}
}

// turn begins a minute, and reports whether enough of those before were busy.
func (r *rate) turn(minute int64, most int) bool {
	if minute == r.minute {
		return false
	}
	if minute == r.minute+1 && r.count > most {
		r.busy++
		r.sum += r.count
	} else {
		r.busy, r.sum = 0, 0
	}
	r.minute, r.count = minute, 0
	return r.busy >= busyMinutes
}

// changed names what an update changes.
func changed(record *trace.Record) string {
	var paths []string
	for i := range record.Request.Writes {
		if w := &record.Request.Writes[i]; w.Object == record.Request.Object {
			paths = fields(w, paths)
		}
	}
	return fieldsOf(paths)
}
