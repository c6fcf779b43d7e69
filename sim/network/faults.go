package network

import (
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// faults holds the fault rules of a simulation, and the requests that they hold.
type faults struct {
	set fault.Set
	// held are the requests that wait until a rule ends.
	held map[*fault.Rule][]held
	// writes counts the writing requests of each sync, by the number of its record.
	writes map[int64]int
	// crash ends the process that an actor belongs to.
	crash func(actor string, rule *fault.Rule, cause int64)
}

// held is a request that waits until a rule ends; it is abandoned if the simulation ends first.
type held struct{ resume, abandon func() }

// newFaults are none. The engine draws whether a rule applies.
func newFaults(e *engine.Engine) faults {
	// A float64 holds 53 bits exactly.
	const exact = 1 << 53
	chance := func(rule string) float64 { return float64(e.Draw("fault|"+rule, 0, exact-1)) / exact }
	return faults{set: fault.Set{Chance: chance}, held: map[*fault.Rule][]held{}, writes: map[int64]int{}}
}

// Faults lists the rules that were added with Arm.
func (f *faults) Faults() []*fault.Rule { return f.set.Rules() }

// OnCrash sets the function that ends the process of an actor.
func (f *faults) OnCrash(crash func(actor string, rule *fault.Rule, cause int64)) {
	f.crash = crash
}

// abandonHeld abandons the held requests when the simulation ends.
func (f *faults) abandonHeld() {
	for _, waiting := range f.held {
		for _, h := range waiting {
			h.abandon()
		}
	}
}
