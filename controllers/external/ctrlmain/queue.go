package ctrlmain

import (
	"context"
	"runtime/pprof"
	"sync"
	"unsafe"
)

// Queue is a work queue of the controller. Its methods are called on the goroutine on which something happens in it, so that
// the trace shows the syncs of the controller, what caused them, and which requests they sent. Package ctrlsync, below this
// one, does so for the named queues of client-go.
type Queue struct{ name string }

// NewQueue observes a queue.
func NewQueue(name string) Queue { return Queue{name} }

// Added is called when a key enters the queue.
func (q Queue) Added() { observed.note(q, queueAdded, 0) }

// Taken is called when a worker takes a key that waited for that many seconds. Until Done, the goroutine and those that it
// starts work on the key.
func (q Queue) Taken(seconds float64) { observed.note(q, queueTaken, seconds) }

// Done is called when a worker marks its key done.
func (q Queue) Done() { observed.note(q, queueDone, 0) }

// Delayed is called when a key is to be added later.
func (q Queue) Delayed() { observed.note(q, queueDelayed, 0) }

// observed are the notes that kubestep does not have yet.
var observed = &notes{tasks: map[unsafe.Pointer]uint64{}}

// notes knows what each goroutine works on. It marks a goroutine by its profiler label, which those that it starts inherit, as
// package sim/engine/activity does.
type notes struct {
	mu    sync.Mutex
	last  uint64
	tasks map[unsafe.Pointer]uint64
	taken []note
}

func (n *notes) note(q Queue, kind queueEvent, seconds float64) {
	made := note{Kind: kind, Queue: q.name, Seconds: seconds, Task: n.current()}
	n.mu.Lock()
	defer n.mu.Unlock()
	switch kind {
	case queueTaken:
		// A new label set has an address that no other has while a goroutine has the set, and so until Done.
		pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("queue", q.name)))
		n.last++
		made.Begins = n.last
		n.tasks[goroutineLabel()] = n.last
	case queueDone:
		delete(n.tasks, goroutineLabel())
		pprof.SetGoroutineLabels(context.Background())
	}
	n.taken = append(n.taken, made)
}

// current is what the calling goroutine works on; 0 if that is nothing.
func (n *notes) current() uint64 {
	label := goroutineLabel()
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.tasks[label]
}

// collect takes the notes since the last call.
func (n *notes) collect() []note {
	n.mu.Lock()
	defer n.mu.Unlock()
	taken := n.taken
	n.taken = nil
	return taken
}

// goroutineLabel returns the label set of the calling goroutine. The runtime keeps this name for it (go.dev/issue/67401).
//
//go:linkname goroutineLabel runtime/pprof.runtime_getProfLabel
func goroutineLabel() unsafe.Pointer
