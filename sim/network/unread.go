package network

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

// unread are the events that have arrived at a client and that it has not read. Like the buffers of a real connection,
// it accepts events that the client does not read at once; unlike them, it has no limit.
type unread struct {
	channel chan watch.Event
	// run runs pass on a goroutine of the client.
	run func(pass func(context.Context))

	mu sync.Mutex
	// rest are the events that do not fit into the channel. While there are any, a goroutine passes them on.
	rest    []watch.Event
	passing bool
	// ended means that no more events come: the channel closes after the last one. dropped closes when the client
	// stops, which discards what it has not read.
	ended   bool
	dropped chan struct{}
}

// unreadBuffer is the capacity of the channel. A reflector empties its channel whenever the simulation proceeds, so
// only clients that do something else in the meantime need more.
const unreadBuffer = 16

func newUnread(run func(pass func(context.Context))) *unread {
	return &unread{run: run, channel: make(chan watch.Event, unreadBuffer), dropped: make(chan struct{})}
}

// add appends an event. Calls after end or drop do nothing.
func (u *unread) add(event watch.Event) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended {
		return
	}
	if !u.passing {
		select {
		case u.channel <- event:
			return
		default:
			u.passing = true
			u.run(u.pass)
		}
	}
	u.rest = append(u.rest, event)
}

// pass sends the rest to the client until nothing is left.
func (u *unread) pass(ctx context.Context) {
	for {
		event, ok := u.next()
		if !ok {
			return
		}
		select {
		case u.channel <- event:
		case <-u.dropped:
		case <-ctx.Done():
			return
		}
	}
}

// next takes the oldest event of the rest. If there is none, the caller's goroutine ends.
func (u *unread) next() (event watch.Event, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.rest) == 0 {
		u.passing = false
		if u.ended {
			close(u.channel)
		}
		return event, false
	}
	event, u.rest = u.rest[0], u.rest[1:]
	return event, true
}

// end closes the channel after the last event.
func (u *unread) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended {
		return
	}
	u.ended = true
	if !u.passing {
		close(u.channel)
	}
}

// drop ends the channel at the client's request. Events that are not in it yet are discarded.
func (u *unread) drop() {
	u.mu.Lock()
	u.rest = nil
	select {
	case <-u.dropped:
	default:
		close(u.dropped)
	}
	u.mu.Unlock()
	u.end()
}
