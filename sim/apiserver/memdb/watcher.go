package memdb

import (
	"context"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
)

// resultBuffer is how many events a result channel holds without a reader, as in upstream's store.
const resultBuffer = 100

// EventSource hands out the events of a watch one by one, without a channel and so without a
// goroutine. What Store.Watch returns is one. Use either the EventSource or the result channel of a
// watch, not both.
type EventSource interface {
	// Next takes the oldest pending event; ok is false when there is none. An event of type Error
	// is the last one. The object is shared with other watches: do not change it. Next of a watch that a Store of
	// VersionDecorator has opened may block, and belongs to one goroutine at a time.
	Next() (event watch.Event, ok bool)
	// Waiting is the revision of the oldest pending event; ok is false when there is none.
	Waiting() (revision uint64, ok bool)
	// SetNotify registers a function that is called once for each event that becomes pending, after
	// the DB's OnCommit and without a lock held. For events that are pending already it is called
	// before SetNotify returns, so that calls and events are equal in number. Of a Store of VersionDecorator, Next may find
	// that a pending event is none for the watch.
	SetNotify(notify func())
	// Bookmark makes a bookmark of the current revision pending. Call it only for a watch that allows bookmarks.
	Bookmark()
}

// watcher is one open watch. Its queue is unbounded: a slow reader neither holds up a writer nor
// loses an event.
type watcher struct {
	store     *store
	span      span
	predicate storage.SelectionPredicate
	// progress tells that the client asked for bookmarks of progress.
	progress bool
	// ctx is asked before each event, because the call that stops the watch when it ends comes on a
	// goroutine of its own, some time later.
	ctx context.Context
	// since is the revision after which commits are delivered. DB.mu guards it.
	since uint64

	mu     sync.Mutex
	queue  []queued
	notify func()
	// ended tells that nothing will be added to the queue; stopped, that nothing will be taken from
	// it either.
	ended, stopped bool
	// detach unregisters the watcher from its context.
	detach func() bool

	// The channels exist only if ResultChan has been called. wake tells the pump of new events,
	// quit that the watch is stopped.
	result     chan watch.Event
	wake, quit chan struct{}
}

var (
	_ watch.Interface = (*watcher)(nil)
	_ EventSource     = (*watcher)(nil)
)

// push queues something. The caller holds DB.mu, and calls DB.report when it has released it.
func (w *watcher) push(p queued) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || w.isGone() {
		return
	}
	w.queue = append(w.queue, p)
	if w.wake != nil {
		select {
		case w.wake <- struct{}{}:
		default: // the pump has yet to see an earlier call
		}
	}
	if notify := w.notify; notify != nil {
		db := w.store.db
		db.outbox = append(db.outbox, func() {
			if w.listens() {
				notify()
			}
		})
	}
}

// fail queues an ERROR event, the last one. It is called before anyone knows the watcher.
func (w *watcher) fail(err apierrors.APIStatus) {
	status := err.Status()
	w.push(queued{event: watch.Event{Type: watch.Error, Object: &status}})
	w.ended = true
}

// Next implements EventSource.
func (w *watcher) Next() (watch.Event, bool) {
	for {
		p, ok := w.take()
		if !ok {
			return watch.Event{}, false
		}
		event, ok, err := w.resolve(p)
		switch {
		case !w.listens():
			return watch.Event{}, false
		case err != nil:
			return w.failed(err), true
		case ok:
			return event, true
		}
	}
}

// take removes the head of the queue.
func (w *watcher) take() (queued, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 || w.isGone() {
		return queued{}, false
	}
	head := w.queue[0]
	w.queue[0] = queued{}
	w.queue = w.queue[1:]
	return head, true
}

// Waiting implements EventSource.
func (w *watcher) Waiting() (revision uint64, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 || w.isGone() {
		return 0, false
	}
	return w.queue[0].revision(), true
}

// SetNotify implements EventSource.
func (w *watcher) SetNotify(notify func()) {
	w.mu.Lock()
	w.notify = notify
	pending := len(w.queue)
	w.mu.Unlock()
	if notify == nil {
		return
	}
	for range pending {
		notify()
	}
}

// Bookmark implements EventSource. A client that waits for a revision of the future gets none before that revision.
func (w *watcher) Bookmark() {
	db := w.store.db
	defer db.report()
	db.mu.Lock()
	defer db.mu.Unlock()
	if w.store.newFunc != nil && db.revision >= w.since {
		w.push(queued{event: w.store.bookmark(db.revision)})
	}
}

// ResultChan implements watch.Interface. The first call starts the goroutine that feeds the
// channel.
func (w *watcher) ResultChan() <-chan watch.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.result != nil {
		return w.result
	}
	w.result = make(chan watch.Event, resultBuffer)
	if w.stopped {
		close(w.result)
		return w.result
	}
	w.wake, w.quit = make(chan struct{}, 1), make(chan struct{})
	go w.pump()
	return w.result
}

// pump moves events from the queue to the result channel, as copies, until the watch is stopped or
// has delivered its last event. It waits on channels only, so that testing/synctest knows when it
// is idle.
func (w *watcher) pump() {
	defer close(w.result)
	for {
		event, ok := w.Next()
		if ok {
			event.Object = event.Object.DeepCopyObject()
			select {
			case w.result <- event:
			case <-w.quit:
				return
			}
			continue
		}
		if w.isEnded() {
			return
		}
		select {
		case <-w.wake:
		case <-w.quit:
			return
		}
	}
}

// Stop implements watch.Interface. Events that are still in the queue are dropped; those that are
// in the result channel's buffer can still be read.
func (w *watcher) Stop() {
	w.mu.Lock()
	if w.stopped {
		w.mu.Unlock()
		return
	}
	w.stopped = true
	w.queue, w.notify = nil, nil
	if w.quit != nil {
		close(w.quit)
	}
	detach := w.detach
	w.mu.Unlock()
	if detach != nil {
		detach()
	}
	w.store.close(w)
}

// stopWithContext stops the watch when its context ends.
func (w *watcher) stopWithContext() {
	detach := context.AfterFunc(w.ctx, w.Stop)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.detach = detach
}

// isGone tells that the client has stopped the watch or ended its context. The caller holds w.mu.
func (w *watcher) isGone() bool { return w.stopped || w.ctx.Err() != nil }

func (w *watcher) listens() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.isGone()
}

func (w *watcher) isEnded() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended
}
