package external

import (
	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/observe/workqueue"
)

// observe repeats here what happened in the work queues of the program, in the name of the goroutines on which it happened.
func (s *session) observe(notes []note) {
	activities := controllers.SimulationOf(s.clients).Activities
	defer activities.Leave() // the engine's goroutine works for nobody
	for _, n := range notes {
		activities.Enter(s.activity(n.Task))
		queue := s.queue(n.Queue)
		switch n.Kind {
		case queueAdded:
			queue.Added()
		case queueTaken:
			queue.Taken(n.Seconds)
			s.tasks[n.Begins] = activities.Current()
		case queueDone:
			queue.Done()
		case queueDelayed:
			queue.Delayed()
		}
	}
}

// forget forgets the syncs that are over, after their requests.
func (s *session) forget(notes []note) {
	for _, n := range notes {
		if n.Kind == queueDone {
			delete(s.tasks, n.Task)
		}
	}
}

func (s *session) queue(name string) workqueue.Queue {
	queue, ok := s.queues[name]
	if !ok {
		queue = controllers.SimulationOf(s.clients).Observer.Queue(name)
		s.queues[name] = queue
	}
	return queue
}

// activity is what a goroutine of the program works on: a sync, or nothing in particular.
func (s *session) activity(task uint64) *activity.Activity {
	if a, ok := s.tasks[task]; ok {
		return a
	}
	return s.base
}
