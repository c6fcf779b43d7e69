//go:build !linux

package child

// fork is Maker.Fork, where no process can be copied.
func (s *Server) fork(job Job) (Job, bool) { return job, true }

// forkOrders is Maker.ForkOrders.
func (s *Server) forkOrders(job Job, _ []int) (Job, bool) { return job, true }
