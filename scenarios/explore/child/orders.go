package child

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/runner/order"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/observe/digest"
)

// Orders asks for a run in which nothing takes time, and for its choices.
type Orders struct {
	// Choices are those of the run; all further ones are 0.
	Choices []int `json:"choices,omitempty"`
	// Known are states that runs have been in, in addition to those that earlier jobs of the worker named. The run ends at the first one
	// after Choices: Report.Joined.
	Known []digest.Digest `json:"known,omitempty"`
}

// Choice is one that a run has made: which of several events of one time came next.
type Choice struct {
	At time.Duration `json:"at"`
	// State is the state before.
	State  digest.Digest `json:"state"`
	Chosen int           `json:"chosen,omitempty"`
	// Open are the events that could come next. Those of the choices before the last one of Orders.Choices, which are those of another
	// run, are left out.
	Open []Open `json:"open,omitempty"`
	// Facts are the objects in this state. They are left out as Open is.
	Facts []order.Fact `json:"facts,omitempty"`
}

// Open is an event that could come next.
type Open struct {
	Kind engine.OpenKind `json:"kind"`
	Name string          `json:"name"`
}

// chose notes a choice of the run. known means that another run has made it.
func (r *Reporter) chose(d order.Choice, known bool) {
	choice := Choice{At: d.At, State: d.State, Chosen: d.Chosen}
	if !known {
		choice.Facts = d.Facts()
		for _, open := range d.Open {
			choice.Open = append(choice.Open, Open{open.Kind, open.Name})
		}
	}
	r.report.Orders = append(r.report.Orders, choice)
}

// learn adds the states that a job names to those at which a run with Orders ends.
func (m *Maker) learn(o *Orders) {
	if m.known == nil {
		m.known = map[digest.Digest]bool{}
	}
	for _, state := range o.Known {
		m.known[state] = true
	}
}

// orderOf is the order of the run of a job; nil if it is what the seed draws.
func (m *Maker) orderOf(job Job, reporter *Reporter) *order.Order {
	if job.Orders == nil {
		return nil
	}
	m.learn(job.Orders)
	o := &order.Order{Choices: job.Orders.Choices, Chose: func(d order.Choice) (continues bool) {
		made, list := len(reporter.report.Orders), job.Orders.Choices
		reporter.chose(d, made+1 < len(list))
		reporter.report.Joined = made >= len(list) && len(list) > 0 && m.known[d.State]
		if reporter.report.Joined && m.Joined != nil {
			m.Joined(&reporter.report)
		}
		return !reporter.report.Joined
	}}
	if m.ForkOrders != nil {
		o.Fork = func(made []int) (choices []int, continues bool) {
			job, continues = m.ForkOrders(job, made)
			return job.Orders.Choices, continues
		}
	}
	return o
}
