package invariant

import (
	"net/http"
	"time"

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

// rates counts how often each controller updates each object in each virtual minute, and how much others have written in that minute:
// users, kubelets, the scheduler. It keeps two numbers for an object that is written often, and none for others.
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
}

// rate is how often an object was written in a minute. Of the minutes before it, busy were so in a row, with that sum of writes.
type rate struct {
	minute           int64
	count, sum, busy int
}

func newRates(r *Run) *rates { return &rates{run: r, counts: map[written]*rate{}} }

// requested takes a request, and returns the object that it writes if that is hot. Only objects that contention looks at are counted.
func (r *rates) requested(record *trace.Record, isController bool, often *contention.Finder) *Hot {
	request := record.Request
	isConflict := request.Code == http.StatusConflict && request.Reason == "Conflict" && record.FaultSeq == 0
	if len(request.Writes) == 0 && !isConflict {
		return nil
	}
	r.turn(int64(record.At / time.Minute))
	if !isController {
		r.others++
		return nil
	}
	which := written{record.Actor, request.Object}
	rate := r.counts[which]
	if rate == nil && (isConflict || !often.LooksAt(request.Object)) {
		return nil
	}
	if rate == nil {
		rate = r.begin(which)
	}
	isHot := rate.turn(r.minute, busyWrites+answers*r.before)
	rate.count++
	if !isHot || isConflict {
		return nil
	}
	hot := &Hot{
		Object: trace.ObjectName(request.Object), Controllers: []string{record.Actor}, Work: HotUpdates, Field: changed(record),
		Count: rate.sum, Resource: request.Resource, first: time.Duration(r.minute-int64(rate.busy)) * time.Minute,
	}
	hot.until(time.Duration(r.minute) * time.Minute)
	return hot
}

func (r *rates) begin(which written) *rate {
	rate := &rate{minute: r.minute}
	r.counts[which] = rate
	return rate
}

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
