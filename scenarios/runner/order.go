package runner

import (
	"fmt"
	"io"

	"github.com/kubestep/kubestep/sim"
)

// chooseOrder lets the Order of the run decide.
func (r *run) chooseOrder() {
	if r.order == nil {
		return
	}
	r.sim.ChooseOrder(r.writeState, func(point sim.Point) int {
		chosen, goesOn := r.order.Choose(point, r.sim.State)
		if !goesOn {
			r.sim.Engine.Stop()
		}
		return chosen
	})
}

// writeState writes what the scenario adds to a state: the step whose turn it is, what waits, and what the checks have decided.
func (r *run) writeState(w io.Writer) {
	r.steps.mu.Lock()
	fmt.Fprintln(w, r.steps.next, r.steps.ended, r.steps.beside)
	r.steps.mu.Unlock()
	fmt.Fprintln(w, len(r.waiters), r.failure)
	for _, c := range r.checks {
		fmt.Fprintln(w, c.name, c.decided, c.passed)
	}
	for _, result := range r.invariants.Results() {
		fmt.Fprintln(w, result.Name, result.Breaches)
	}
}
