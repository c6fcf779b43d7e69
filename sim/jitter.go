package sim

import (
	"strconv"
	"sync/atomic"
	_ "unsafe" // for go:linkname

	_ "k8s.io/apimachinery/pkg/util/wait"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
)

// jitterRand is the source of every jitter of apimachinery's wait package: JitterUntil, which spreads the
// attempts of a leader election, and Backoff. Upstream keeps it in a variable, "so it can be overridden to
// make unit tests deterministic", but does not export that; a linkname reaches it.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

// jitter is that of one simulation.
type jitter struct {
	parts network.Parts
}

// jittered is that of the simulation whose seed decides the jitter; nil while there is none.
var jittered atomic.Pointer[jitter]

func init() {
	upstream := jitterRand
	jitterRand = func() float64 {
		if of := jittered.Load(); of != nil {
			return of.fraction()
		}
		return upstream()
	}
}

// fraction depends on the caller and the time, not on the number of calls: it does not matter which of two goroutines was
// faster.
func (j *jitter) fraction() float64 {
	actor := ""
	if a := j.parts.Activities.Current(); a != nil {
		actor = a.Actor
	}
	return engine.Fraction(engine.Hash(j.parts.Engine.Seed(), "jitter|"+actor+"|"+strconv.FormatInt(int64(j.parts.Engine.Now()), 10)))
}
