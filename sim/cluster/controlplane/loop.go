package controlplane

import (
	"time"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network"
)

// interval is how often the loops of kube-apiserver look: upstream's DefaultEndpointReconcilerInterval.
const interval = 10 * time.Second

// loop looks after some objects, at the times at which upstream's loop would, but only when there is something to do.
type loop struct {
	simulation *sim.Simulation
	// name is that of the loop among the events of the engine.
	name string
	// concerns reports whether a change gives the loop something to do. What the loop changes itself does not.
	concerns func(network.Change) bool
	look     func() error

	begin time.Duration
	due   bool
}

// start looks for the first time, and from now on after changes.
func (l *loop) start() error {
	l.begin = l.simulation.Engine.Now()
	l.simulation.OnChange(func(change network.Change) {
		if l.concerns(change) && !change.Background && !l.due {
			l.due = true
			l.simulation.Engine.At(l.next(), l.name, l.run)
		}
	})
	return l.look()
}

// next is when the loop looks next.
func (l *loop) next() time.Duration {
	return l.begin + ((l.simulation.Engine.Now()-l.begin)/interval+1)*interval
}

// run looks. The API server refuses what the loop does if, for instance, there is no ServiceCIDR for the address of a
// Service. Upstream's loop logs this and tries again; a simulation may end meanwhile.
func (l *loop) run() {
	l.due = false
	if err := l.look(); err != nil {
		l.due = true
		l.simulation.Engine.UpkeepAt(l.next(), l.name, l.run)
	}
}
