package scene

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Queue is a work queue of a controller.
type Queue struct {
	Actor string `json:"actor"`
	// Name is that of the queue; empty if it is named after its controller.
	Name string `json:"name,omitempty"`
	// Waiting keys are in the queue, and InWork are being synced. Timers are added again later, each at a time of its own.
	Waiting []Key `json:"waiting,omitempty"`
	InWork  []Key `json:"inWork,omitempty"`
	Timers  []Key `json:"timers,omitempty"`
	// Backoff and Unschedulable are Pods in the other parts of the queue of kube-scheduler, which wait for the end of their back-off,
	// or for an event that may help.
	Backoff       []Key `json:"backoff,omitempty"`
	Unschedulable []Key `json:"unschedulable,omitempty"`
	// Syncs is how many syncs have ended, Requeued how many of them requeued their key or failed.
	Syncs    int `json:"syncs"`
	Requeued int `json:"requeued,omitempty"`
	// Tone is now while a key is being synced, pending while one waits, and dim if the queue is empty.
	Tone palette.Tone `json:"tone,omitempty"`
}

// Key is a key of a queue.
type Key struct {
	Key string `json:"key"`
	// At is since when it is where it is, or when it returns; 0 if that is not to be seen. When is the same in words; it is empty as
	// well if that is just now.
	At   time.Duration `json:"-"`
	When string        `json:"when,omitempty"`
	// Retries is how many consecutive syncs of the key requeued it or failed.
	Retries int `json:"retries,omitempty"`
}

// Queues are all work queues that are used in the recording, by controller.
func (b *Beat) Queues() []Queue {
	if b.queues != nil {
		return b.queues
	}
	b.queues = []Queue{}
	for _, s := range b.Rec.QueuesAt(b.Seq) {
		q := Queue{Actor: s.Actor, Syncs: s.Syncs, Requeued: s.Requeued}
		if !strings.HasPrefix(s.Actor, s.Queue) {
			q.Name = s.Queue
		}
		if actor, _ := trace.SplitActor(s.Actor); actor == trace.SchedulerActor {
			parts := b.Rec.SchedulingQueueAt(s.Actor, b.Seq)
			s.Waiting = parts.Active
			q.Backoff, q.Unschedulable = b.keys(parts.Backoff, b.Times.Since), b.keys(parts.Unschedulable, b.Times.Since)
		}
		q.Waiting, q.InWork, q.Timers = b.keys(s.Waiting, b.Times.Since), b.keys(s.InWork, b.Times.Since), b.keys(s.Timers, b.Times.Due)
		switch {
		case len(q.InWork) > 0:
			q.Tone = palette.Now
		case len(q.Waiting) > 0:
			q.Tone = palette.Pending
		case len(q.Timers)+len(q.Backoff)+len(q.Unschedulable) == 0:
			q.Tone = palette.Dim
		}
		b.queues = append(b.queues, q)
	}
	return b.queues
}

// keys are some keys, with the words for their times.
func (b *Beat) keys(of []recording.QueuedKey, words func(time.Duration) string) (keys []Key) {
	for _, q := range of {
		k := Key{Key: q.Key, Retries: q.Retries}
		if !b.Rec.AsksBefore(q.At, b.Seq) {
			k.At = q.At
			if (q.At - b.Now).Abs() >= time.Millisecond {
				k.When = words(q.At)
			}
		}
		keys = append(keys, k)
	}
	return keys
}

// add adds the keys of another queue.
func (q *Queue) add(other *Queue) {
	q.Waiting = append(q.Waiting, other.Waiting...)
	q.InWork = append(q.InWork, other.InWork...)
	q.Timers = append(q.Timers, other.Timers...)
	q.Backoff = append(q.Backoff, other.Backoff...)
	q.Unschedulable = append(q.Unschedulable, other.Unschedulable...)
}

// next is the timer that ends first. Those whose times are not to be seen end after all others.
func (q *Queue) next() Key {
	next := q.Timers[0]
	for _, k := range q.Timers[1:] {
		if k.At > 0 && (next.At == 0 || k.At < next.At) {
			next = k
		}
	}
	return next
}

// words say what is in a queue.
func (q *Queue) words(t Times) string {
	text := "empty"
	switch {
	case len(q.InWork) > 0:
		text = "syncing " + q.InWork[0].Key
	case len(q.Waiting) > 0:
		text = q.Waiting[0].Key + " waits"
	case len(q.Timers) > 0:
		next := q.next()
		text = next.Key + " again later"
		if next.At > 0 {
			text = next.Key + " again " + t.Due(next.At)
		}
	}
	if more := len(q.InWork) + len(q.Waiting) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if n := len(q.Backoff); n > 0 {
		text += fmt.Sprintf(", %d backoff", n)
	}
	if n := len(q.Unschedulable); n > 0 {
		text += fmt.Sprintf(", %d unschedulable", n)
	}
	return text
}

// Cache is what the cache of an informer has of the objects of one resource.
type Cache struct {
	// Informer names its client and the resource: kube-scheduler/pods. That of the controllers, who share it, is the resource alone.
	Informer string `json:"informer"`
	// Store and Cache are the resourceVersions of the last change in the store and in the cache; Cache is 0 as long as it has only been
	// listed.
	Store uint64 `json:"store"`
	Cache uint64 `json:"cache"`
	// Events is how many watch events have arrived.
	Events int `json:"-"`
	// Behind is how many changes it has not received; Changes are the oldest of them. Next says when the first one arrives.
	Behind  int      `json:"behind,omitempty"`
	Changes []Change `json:"changes,omitempty"`
	Next    string   `json:"next,omitempty"`

	name string
}

// Change is a write that a cache has not received. In JSON it is the number of its record.
type Change struct {
	Seq int64
	// Text says who wrote what, and Detail which fields. It was written At.
	Text, Detail string
	At           time.Duration
}

// MarshalJSON implements json.Marshaler.
func (c Change) MarshalJSON() ([]byte, error) { return strconv.AppendInt(nil, c.Seq, 10), nil }

// namedChanges is how many changes of one cache are named.
const namedChanges = 4

// sharedInformers is the client of the informers that all controllers of one process share.
const sharedInformers = "shared-informers/"

// Caches are those of all informers that ever receive a watch event.
func (b *Beat) Caches() []Cache {
	if b.caches != nil {
		return b.caches
	}
	b.caches = []Cache{}
	for _, s := range b.Rec.StreamsAt(b.Seq) {
		c := Cache{
			Informer: strings.TrimPrefix(s.Name, sharedInformers), Store: s.Store, Cache: s.Cache, Events: s.Events,
			Behind: len(s.UnderWay), name: s.Name,
		}
		if c.Behind > 0 && s.At > 0 && s.At >= b.Now && !b.Rec.AsksBefore(s.At, b.Seq) {
			c.Next = b.Times.Due(s.At)
		}
		for _, seq := range s.UnderWay[:min(c.Behind, namedChanges)] {
			row := b.Rec.Row(seq)
			text := row.Verb + " " + row.Object + " by " + row.Actor
			c.Changes = append(c.Changes, Change{seq, text, row.Detail, row.At})
		}
		b.caches = append(b.caches, c)
	}
	return b.caches
}
