package apiserver

import (
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

// drained collects the events of a watch that upstream wraps in a goroutine: the registries of services
// and persistentvolumeclaims decorate each object on its way out.
type drained struct {
	mu     sync.Mutex
	events []watch.Event
	notify func()
}

// drain reads source on a goroutine of its own, which ends when the watch is stopped.
func drain(source watch.Interface) *drained {
	d := &drained{}
	go func() {
		for event := range source.ResultChan() {
			d.mu.Lock()
			d.events = append(d.events, event)
			notify := d.notify
			d.mu.Unlock()
			if notify != nil {
				notify()
			}
		}
	}()
	return d
}

// Next implements memdb.EventSource.
func (d *drained) Next() (watch.Event, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.events) == 0 {
		return watch.Event{}, false
	}
	event := d.events[0]
	d.events = d.events[1:]
	return event, true
}

// SetNotify implements memdb.EventSource.
func (d *drained) SetNotify(notify func()) {
	d.mu.Lock()
	d.notify = notify
	waiting := len(d.events) > 0
	d.mu.Unlock()
	if waiting && notify != nil {
		notify()
	}
}
