package sim

import (
	"strconv"
	"sync/atomic"
	_ "unsafe" // for go:linkname

	_ "k8s.io/apimachinery/pkg/util/wait"

	"github.com/kubestep/kubestep/sim/engine"
)

// jitterRand is the source of every jitter of apimachinery's wait package: JitterUntil, which spreads the
// attempts of a leader election, and Backoff. Upstream keeps it in a variable, "so it can be overridden to
// make unit tests deterministic", but does not export that; a linkname reaches it.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

// jittered is the simulation whose seed decides the jitter; nil while there is none.
var jittered atomic.Pointer[Simulation]

func init() {
	upstream := jitterRand
	jitterRand = func() float64 {
		if world := jittered.Load(); world != nil {
			return world.jitter()
		}
		return upstream()
	}
}

// jitter depends on the caller and the time, not on the number of calls: it does not matter which of two goroutines was
// faster.
func (s *Simulation) jitter() float64 {
	actor := ""
	if a := s.Activities.Current(); a != nil {
		actor = a.Actor
	}
	return fraction(engine.Hash(s.options.Seed, "jitter|"+actor+"|"+strconv.FormatInt(int64(s.Engine.Now()), 10)))
}
