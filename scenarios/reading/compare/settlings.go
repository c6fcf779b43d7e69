package compare

import (
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Settlings are the times at which the objects of a run changed for the last time: those of one pattern together.
type Settlings struct {
	names names
	at    map[trace.Object]Settling
}

// Settling is the last change of an object.
type Settling struct {
	At time.Duration
	// By is the actor that made it.
	By string
}

// Settlings returns those of the run whose records these decisions are from; Add must see each record before it.
func (d *Decisions) Settlings() *Settlings {
	return &Settlings{names: d.names, at: map[trace.Object]Settling{}}
}

// Add takes the next record. Heartbeats, Events and leases tell of others only, and what a kubelet reports of its node is a heartbeat.
func (s *Settlings) Add(record *trace.Record) {
	if record.Request == nil || record.Background {
		return
	}
	actor, _ := trace.SplitActor(record.Actor)
	for i := range record.Request.Writes {
		if w := &record.Request.Writes[i]; !untold[w.Resource] && !passing[w.Resource] && (w.Resource != "nodes" || actor != "kubelet") {
			s.at[s.names.object(w.Object)] = Settling{record.At, record.Actor}
		}
	}
}

// All are the last changes, in the order of the objects.
func (s *Settlings) All(yield func(trace.Object, Settling) bool) {
	for _, object := range keys(s.at, nil, compareObjects) {
		if !yield(object, s.at[object]) {
			return
		}
	}
}

// Of is the last change of an object, if it ever changed.
func (s *Settlings) Of(object trace.Object) (last Settling, changed bool) {
	last, changed = s.at[object]
	return last, changed
}

// Last is the time of the last change of any object.
func (s *Settlings) Last() (last time.Duration) {
	for _, settling := range s.All {
		last = max(last, settling.At)
	}
	return last
}

// NewRoleDecisions returns Decisions in which an object whose name has the hash of a template has the name of its role: web-(rev1) for the
// first ReplicaSet of web. So runs compare that differ in a template.
func NewRoleDecisions() *Decisions {
	d := NewDecisions()
	d.roles = &roles{revisions: map[trace.Object]int{}}
	return d
}

// Object is an object with the pattern of its name.
func (d *Decisions) Object(object trace.Object) trace.Object { return d.names.object(object) }
