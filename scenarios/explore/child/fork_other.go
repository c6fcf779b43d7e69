//go:build !linux

package child

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
)

// fork is Maker.Fork, where no process can be copied.
func (s *Server) fork(job Job) (Job, bool) { return job, true }

// disturb is Maker.Disturb.
func (s *Server) disturb(job *Job, _ time.Duration) ([]format.FaultRule, time.Duration) {
	return job.Late, 0
}

// forkOrders is Maker.ForkOrders.
func (s *Server) forkOrders(job Job, _ []int) (Job, bool) { return job, true }
