package network

import (
	"time"
)

// ServerWorkers is how many writes the server works on at the same time.
const ServerWorkers = 2

// workers are those of the server: until when each of them executes writes that have arrived.
type workers [ServerWorkers]time.Duration

// newWorkers are free.
func newWorkers(now time.Duration) (w workers) {
	for i := range w {
		w[i] = now
	}
	return w
}

// occupy reserves a worker for one more write, and returns when that is executed.
func (w *workers) occupy(now, service time.Duration) time.Duration {
	next := w.next()
	*next = max(*next, now) + service
	return *next
}

// next is when the next worker is free.
func (w *workers) next() *time.Duration {
	next := &w[0]
	for i := range w {
		if w[i] < *next {
			next = &w[i]
		}
	}
	return next
}
