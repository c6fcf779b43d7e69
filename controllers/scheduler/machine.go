package scheduler

import (
	"os"
	"os/signal"
	"strconv"
	"sync/atomic"
	_ "unsafe" // for go:linkname

	_ "k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
)

// The first signal.Notify of a process starts a goroutine that never ends. kube-scheduler listens for the signal that makes it
// dump its cache; without this, that goroutine would start in the bubble of a simulation, which could then never be quiescent.
func init() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
}

// getOffsetRand says with which node the search for Pods to preempt begins (GetOffsetAndNumCandidates). Upstream keeps it in a
// variable, "so it can be overridden to make unit tests deterministic", but does not export that; a linkname reaches it.
//
//go:linkname getOffsetRand k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption.getOffsetRand
var getOffsetRand func(n int32) int32

// seeded is the simulation whose seed decides the offsets; nil while there is none.
var seeded atomic.Pointer[sim.Simulation]

func init() {
	upstream := getOffsetRand
	getOffsetRand = func(n int32) int32 {
		s := seeded.Load()
		if s == nil || n <= 0 {
			return upstream(n)
		}
		key := "preempt|" + strconv.FormatInt(int64(s.Engine.Now()), 10)
		return int32(engine.Hash(s.Seed(), key) % uint64(n))
	}
}

// seedOffsets makes the seed of a simulation decide the offsets until it ends.
func seedOffsets(s *sim.Simulation) {
	if seeded.Swap(s) != s {
		s.OnEnd(func() { seeded.CompareAndSwap(s, nil) })
	}
}
