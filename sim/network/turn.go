package network

import (
	"sync/atomic"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// Every write to the store happens during an event of the engine, which has its place in the order of events: nearly all of
// them while the engine executes or continues a request. A few parts of kube-apiserver write by themselves, on goroutines of
// their own: the controller that deletes the objects of a CustomResourceDefinition does not send requests, but uses their
// storage. Such a write waits for a turn, which is an event, too, and has a record.

// turn collects the writes of whoever may write.
type turn struct{ commits []apiserver.Commit }

// turns decide whose writes the store takes.
type turns struct {
	// now is whose turn it is, nil if nobody may write.
	now atomic.Pointer[turn]
}

// let lets the goroutine of the engine write, and those that it wakes, until act returns.
func (t *turns) let(whose *turn, act func()) {
	t.now.Store(whose)
	defer t.now.Store(nil)
	act()
}

// collect collects a write.
func (t *turns) collect(c apiserver.Commit) {
	if now := t.now.Load(); now != nil {
		now.commits = append(now.commits, c)
	}
}
