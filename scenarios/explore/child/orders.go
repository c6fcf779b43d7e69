package child

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/runner/order"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/observe/digest"
)

// Orders asks for a run in which nothing takes time, and for its decisions.
type Orders struct {
	// Decisions are those of the run; all further ones are 0.
	Decisions []int `json:"decisions,omitempty"`
	// Known are states that runs have been in, in addition to those that earlier jobs of the worker named. The run ends at the first one
	// after Decisions: Report.Joined.
	Known []digest.Digest `json:"known,omitempty"`
}

// Decision is one that a run has made: which of several events of one time came next.
type Decision struct {
	At time.Duration `json:"at"`
	// State is the state before.
	State  digest.Digest `json:"state"`
	Chosen int           `json:"chosen,omitempty"`
	// Open are the events that could come next.
	Open []Open `json:"open"`
	// Facts are the objects in this state.
	Facts []order.Fact `json:"facts,omitempty"`
}

// Open is an event that could come next.
type Open struct {
	Kind engine.ChoiceKind `json:"kind"`
	Name string            `json:"name"`
}

// decided notes a decision of the run.
func (r *Reporter) decided(d order.Decision) {
	decision := Decision{At: d.At, State: d.State, Chosen: d.Chosen, Facts: d.Facts}
	for _, open := range d.Open {
		decision.Open = append(decision.Open, Open{open.Kind, open.Name})
	}
	r.report.Orders = append(r.report.Orders, decision)
}

// orderOf is the order of the run of a job; nil if it is what the seed draws.
func (m *Maker) orderOf(job Job, reporter *Reporter) *order.Order {
	if job.Orders == nil {
		return nil
	}
	if m.known == nil {
		m.known = map[digest.Digest]bool{}
	}
	for _, state := range job.Orders.Known {
		m.known[state] = true
	}
	return &order.Order{Decisions: job.Orders.Decisions, Decided: func(d order.Decision) (continues bool) {
		made := len(reporter.report.Orders)
		reporter.decided(d)
		reporter.report.Joined = made >= len(job.Orders.Decisions) && len(job.Orders.Decisions) > 0 && m.known[d.State]
		return !reporter.report.Joined
	}}
}
