package child

import (
	"encoding/json"
	"io"
	"os"

	"github.com/kubestep/kubestep/sim/process/lastwords"
)

// forkOrders is Maker.ForkOrders.
func (s *Server) forkOrders(job Job, made []int) (Job, bool) {
	number := len(made)
	for {
		list := job.Orders.Choices
		if number >= len(list) || list[number] == 0 {
			return job, true
		}
		isLast := number == len(list)-1
		pid, from, to, err := s.copied()
		switch {
		case err != nil:
			return job, true
		case to != nil:
			s.isChild, s.holder, s.told = true, nil, nil
			if isLast {
				s.Out = to
			} else {
				s.holder = to
			}
			return job, true
		}
		next, err := s.after(pid, from, job, isLast)
		if err != nil || !branches(job, next, made) {
			return s.leave(next, err)
		}
		s.told = append(s.told, next.Orders.Known...)
		s.maker.learn(next.Orders)
		job = next
	}
}

// after waits for a child, and returns the next job: one that the child leaves, or one that nobody has read yet.
func (s *Server) after(pid, from int, job Job, isLast bool) (next Job, err error) {
	s.progress.Waits.Store(true)
	defer func() {
		s.progress.Waited.Add(1)
		s.progress.Waits.Store(false)
	}()
	if isLast {
		if !s.parent(pid, from, job) {
			job.Alone = true
			return job, nil
		}
		return s.next()
	}
	line, status, err := s.hear(endless, pid, from, 0)
	if err != nil || !status.Exited() || status.ExitStatus() != 0 {
		// Nobody knows which jobs it has answered: the worker that asks finds out that this process is gone, too.
		if err != nil {
			_, _ = os.Stderr.Write(lastwords.Words{Error: err.Error()}.Line())
		}
		os.Exit(1)
	}
	if len(line) == 0 {
		return next, io.EOF
	}
	return next, json.Unmarshal(line, &next)
}

// leave leaves a job that begins in another way: to the parent, or to this process when the run is over. With an error, there is none.
func (s *Server) leave(next Job, err error) (Job, bool) {
	if s.holder == nil {
		if err == nil {
			s.held = &next
		}
		s.answered = true
		return Job{Orders: &Orders{}}, false
	}
	if err == nil {
		if next.Orders != nil {
			next.Orders.Known = append(s.told, next.Orders.Known...)
		}
		line, err := json.Marshal(next)
		if err == nil {
			_, err = s.holder.Write(line)
		}
		if err != nil {
			os.Exit(1)
		}
	}
	os.Exit(0)
	return next, false
}
