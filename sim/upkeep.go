package sim

import (
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// compactionPeriod is kube-apiserver's default for --etcd-compaction-interval.
const compactionPeriod = 5 * time.Minute

// upkeep starts what an etcd behind an API server does itself: it removes objects whose time to live has passed and
// discards history older than one compaction period.
func (s *Simulation) upkeep() {
	s.compact(s.Server.Revision(), s.Engine.Now()+compactionPeriod)
	s.OnChange(func(change Change) {
		if change.Resource.Resource == "events" {
			s.expireLater()
		}
	})
}

// compact discards, once a period, the history before the previous period.
func (s *Simulation) compact(revision uint64, at time.Duration) {
	s.Engine.At(at, "etcd|compact", func() {
		s.Server.Compact(revision)
		s.compact(s.Server.Revision(), at+compactionPeriod)
	})
}

// expireLater schedules the next expiry unless one is already scheduled.
func (s *Simulation) expireLater() {
	at, ok := s.Server.NextExpiry()
	if !ok || s.expiring {
		return
	}
	s.expiring = true
	s.Engine.At(at.Sub(s.Engine.Zero()), "etcd|expire", func() {
		s.expiring = false
		commits, _ := s.collect(func() error { s.Server.Expire(s.Engine.Date()); return nil })
		if len(commits) > 0 {
			request := &trace.Request{Verb: "expire", Object: objectOf(commits[0].Resource, "", "")}
			s.storeWrote(commits, &trace.Record{Background: true, Request: request})
		}
		s.expireLater()
	})
}
