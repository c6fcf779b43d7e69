package controllers

import (
	"time"

	"github.com/kubestep/kubestep/sim/engine"
)

// stagger is the delay of a controller's start, drawn from the seed.
func (m *manager) stagger(name string) time.Duration {
	return 1 + time.Duration(engine.Hash(m.sim.Seed(), "start|"+name)%uint64(startStagger))
}

// resync is upstream's ResyncPeriod, the configured minimum times a factor from one to two, drawn from the seed.
func (m *manager) resync(name string) time.Duration {
	minimum := m.options.Config.Generic.MinResyncPeriod.Duration
	return minimum + time.Duration(engine.Hash(m.sim.Seed(), "resync|"+name)%uint64(minimum))
}
