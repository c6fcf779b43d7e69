package sim

import (
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
)

// compactionPeriod is kube-apiserver's default for --etcd-compaction-interval.
const compactionPeriod = 5 * time.Minute

// upkeep is what an etcd behind an API server does itself: it removes objects whose time to live has passed and discards
// history older than one compaction period.
type upkeep struct {
	network *network.Network
	// expiring means that the next expiry is scheduled.
	expiring bool
}

// start starts the upkeep of a store.
func (u *upkeep) start() {
	u.compact(u.network.Server.Revision(), u.network.Engine.Now()+compactionPeriod)
	u.network.OnChange(func(change network.Change) {
		if change.Resource.Resource == "events" {
			u.expireLater()
		}
	})
}

// compact discards, once a period, the history before the previous period.
func (u *upkeep) compact(revision uint64, at time.Duration) {
	u.network.Engine.As(engine.Routine).At(at, "etcd|compact", func() {
		u.network.Server.Compact(revision)
		u.compact(u.network.Server.Revision(), at+compactionPeriod)
	})
}

// expireLater schedules the next expiry unless one is already scheduled.
func (u *upkeep) expireLater() {
	at, ok := u.network.Server.NextExpiry()
	if !ok || u.expiring {
		return
	}
	u.expiring = true
	u.network.Engine.As(engine.Routine).At(at.Sub(u.network.Engine.Zero()), "etcd|expire", func() {
		u.expiring = false
		u.network.Expire()
		u.expireLater()
	})
}
