package sim

import (
	"context"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/observe/syncs"
)

// lateTimer lets the sync of a key wait before it asks for a delayed addition to its queue, if a fault says so. A busy machine does the
// same: a timer is never early, but as late as the goroutine that sets it. Rules that are not active change nothing, not even the order of
// what happens at one time.
func (s *Simulation) lateTimer(sync *syncs.Sync) {
	if !s.Network.MayDelayTimer(sync.Actor) {
		return
	}
	key := sync.Key()
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return
	}
	var late time.Duration
	s.Engine.Call("timer|"+sync.Actor+"|"+sync.Queue+"|"+key, func() {
		late = s.Network.DelayTimer(sync.Actor, namespace, name, sync.Seq())
	})
	if late > 0 {
		engine.Sleep(context.Background(), late)
	}
}
