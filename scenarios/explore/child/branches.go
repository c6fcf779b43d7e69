package child

import (
	"os"
	"reflect"
	"slices"
)

// Runs with Orders begin alike, and a process makes what they have in common once. A process stands before a choice of a run: what it
// has made are choices with which the job begins, too. If the choice of the job is 0, the process makes it. Otherwise it is copied.
// If it is the last choice other than 0, the child makes the rest of the run, as a future is made. If it is not, the child holds the
// place from where runs branch off that have this choice: it reads the next jobs itself, and leaves to its parent the first one that
// begins in another way. With the jobs 0,1 and 0,2 and 0,1,0,1 and 3:
//
//	process 1    makes 0, is copied for 0,1 and 0,2 and 0,1,0,1, and begins again for 3
//	process 2    makes 0,1 to its end
//	process 3    makes 0,2 to its end
//	process 4    makes 1 and 0, is copied for 0,1,0,1, and leaves 3
//	process 5    makes 0,1,0,1 to its end
//
// Which process makes a run does not matter for what happens in it.

// branches reports whether a job begins with the choices that a run has made, and has further ones.
func branches(job, next Job, made []int) bool {
	one, other := job, next
	one.Orders, other.Orders = nil, nil
	return next.Orders != nil && reflect.DeepEqual(one, other) &&
		len(next.Orders.Choices) > len(made) && slices.Equal(next.Orders.Choices[:len(made)], made)
}

// last is Maker.Last.
func (s *Server) last() (end func(*Report)) {
	if !s.isChild || s.holder != nil {
		return nil
	}
	return func(report *Report) {
		report.Spent = s.spent()
		_ = s.answer(report)
		os.Exit(0)
	}
}

// joined is Maker.Joined: a child that has made such a run has no more to do.
func (s *Server) joined(report *Report) {
	if end := s.last(); end != nil {
		end(report)
	}
}
