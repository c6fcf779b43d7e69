package components

import (
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// State is a component after one record.
type State struct {
	*Component
	// Process is the state of the process that a controller belongs to, of the replica that leads if there are several.
	Process why.Process
	// Leader says that this process holds the lease of kube-controller-manager.
	Leader bool
	// Message is its last message; nil before the first.
	Message *Message
	// Caches are those of Resources that have not received every change.
	Caches []Cache
	// Waiting are the keys in its queue, InWork those that are being synced, Timers those that return later, the next first. One that
	// returns after the next question of the scenario has no time: when it returns may be the answer.
	Waiting, InWork, Timers []recording.QueuedKey
	// Pods are those in the parts of kube-scheduler's queue; nil for other components.
	Pods *recording.SchedulingQueue
	// Synced is the key of the sync that ended last, and Verdict what that decided. Both are empty without one.
	Synced, Verdict string
}

// Message is a request, a watch event or the call of a webhook.
type Message struct {
	Seq int64
	// Call says that it is a call of a webhook, which the API server makes. Denied is one without the consent of the webhook, and
	// Unanswered one without an answer.
	Call, Denied, Unanswered bool
	// Watch says that it is a watch event, which comes from the API server. Refused is a request that failed, Held one that a fault
	// holds or that has not been executed.
	Watch, Refused, Held bool
	// Text says what it does to which object, as people name it for kubectl: create rs/web-1. Detail has the
	// fields, or the reason of a refusal.
	Text, Detail string
	// Current says that it is the record that the state is of, or that this record follows from it directly: a controller starts a
	// sync because of a watch event.
	Current bool
}

// Cache is a cache that is behind the store.
type Cache struct {
	Resource string
	// Behind is how many changes it has not received; the oldest was made Since.
	Behind int
	Since  time.Duration
}

// At is the state of some components after record seq, at a time that is not after the next record.
func (c *Components) At(seq int64, now time.Duration, of []*Component) []State {
	instant := c.history.At(seq, now)
	leader := instant.Leader()
	queues, streams := c.rec.QueuesAt(seq), c.rec.StreamsAt(seq)
	var states []State
	for _, component := range of {
		s := State{Component: component}
		actor := c.replica(component, seq, leader)
		switch {
		case component.Syncs:
			s.Process = instant.Process(c.history.ProcessOf(actor))
			c.queued(&s, actor, seq, queues)
			c.cached(&s, actor, streams)
			c.synced(&s, actor, seq)
		case component.Role == Process:
			s.Process = instant.Process(component.Name)
			s.Leader = leader == component.Name
			if leader != "" && !s.Leader && s.Process.State == why.Runs {
				s.Process.State = why.Standby
			}
		}
		s.Message = c.message(component, actor, seq)
		states = append(states, s)
	}
	return states
}

// replica is the actor of a component: that of the leader, or else the one that was active last.
func (c *Components) replica(o *Component, seq int64, leader string) string {
	last, active := int64(-1), o.actors[0]
	for _, actor := range o.actors {
		if leader != "" && c.history.ProcessOf(actor) == leader {
			return actor
		}
		if at := recording.Latest(c.rec.OfActor(actor), seq); at > last {
			last, active = at, actor
		}
	}
	return active
}

// queued adds the keys in the queues of a controller; some have several queues.
func (c *Components) queued(s *State, actor string, seq int64, queues []recording.QueueState) {
	for _, q := range queues {
		if q.Actor == actor {
			s.Waiting = append(s.Waiting, q.Waiting...)
			s.InWork = append(s.InWork, q.InWork...)
			s.Timers = append(s.Timers, q.Timers...)
		}
	}
	if s.Role == Scheduler {
		s.Pods = c.rec.SchedulingQueueAt(actor, seq)
		s.Waiting = s.Pods.Active
	}
	slices.SortStableFunc(s.Timers, func(a, b recording.QueuedKey) int { return int(a.At - b.At) })
	for i := range s.Timers {
		if c.rec.AsksBefore(s.Timers[i].At, seq) {
			s.Timers[i].At = 0
		}
	}
}

// cached adds the caches that are behind the store.
func (c *Components) cached(s *State, actor string, streams []recording.StreamState) {
	for _, resource := range s.Resources {
		from := c.rec.Caches.Read(actor, resource)
		if from == nil {
			continue
		}
		plural, _, _ := strings.Cut(resource, ".")
		for _, stream := range streams {
			if stream.Name == from.Actor+"/"+plural && len(stream.UnderWay) > 0 {
				s.Caches = append(s.Caches, Cache{plural, len(stream.UnderWay), c.rec.At(stream.UnderWay[0])})
			}
		}
	}
}

// synced adds the last sync that has ended, and what it decided.
func (c *Components) synced(s *State, actor string, seq int64) {
	of := c.rec.OfActor(actor)
	for last := recording.Latest(of, seq); last != 0; last = recording.Previous(of, last) {
		record := c.rec.Record(last)
		if record.Sync == nil || record.Sync.Phase != trace.PhaseEnd {
			continue
		}
		s.Synced = record.Sync.Key
		sync := c.rec.Sync(last)
		if s.Verdict = c.rec.Row(sync.Start).Outcome; !sync.Stale {
			if e := c.history.Explained(sync.Start); e != nil {
				s.Verdict = e.Verdict
			}
		}
		return
	}
}

// trigger is the watch event because of which a component starts a sync or adds a key to its queue at record seq; 0 for none.
func (c *Components) trigger(o *Component, seq int64) int64 {
	record := c.rec.Record(seq)
	if record == nil || !slices.Contains(o.actors, record.Actor) {
		return 0
	}
	trigger := record.Cause
	switch {
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		trigger = c.rec.Sync(seq).Trigger
	case record.Enqueue == nil:
		return 0
	}
	if cause := c.rec.Record(trigger); cause != nil && cause.Watch != nil {
		return trigger
	}
	return 0
}

// message is the last message of a component.
func (c *Components) message(o *Component, actor string, seq int64) *Message {
	last, trigger := recording.Latest(o.sent, seq), c.trigger(o, seq)
	for _, resource := range o.Resources {
		if from := c.rec.Caches.Read(actor, resource); from != nil {
			last = max(last, recording.Latest(c.events[informer{from.Actor, resource}], seq))
		}
	}
	if trigger != 0 {
		last = trigger
	}
	if last == 0 {
		return nil
	}
	record, row := c.rec.Record(last), c.rec.Row(last)
	m := &Message{Seq: last, Detail: row.Detail, Current: last == seq || trigger != 0}
	switch {
	case record.Watch != nil:
		m.Watch, m.Text, m.Detail = true, Short(record.Watch.Object)+" "+record.Watch.Type, ""
		if write := c.rec.Record(record.Cause); write != nil {
			m.Detail = c.rec.Row(write.Seq).Detail
		}
	case record.Webhook != nil:
		m.called(record.Webhook)
	case record.Fault != nil:
		m.Held = true
		m.Text, m.Detail = record.Fault.Verb+" "+Short(record.Fault.Object), "held by fault "+record.Fault.Rule
	default:
		m.Refused = record.Request.Code >= 400
		m.Text = row.Verb + " " + Short(record.Request.Object)
		if record.Request.Subresource != "" && row.Verb == record.Request.Verb {
			m.Text += "/" + record.Request.Subresource
		}
	}
	return m
}

// Short names an object as people type it for kubectl: rs/web-1.
func Short(o trace.Object) string {
	plural, _, _ := strings.Cut(o.Resource, ".")
	if kind := kinds.BuiltIn().Named(o.Resource); kind != nil {
		plural = kind.Singular
		if len(kind.ShortNames) > 0 {
			plural = kind.ShortNames[0]
		}
	}
	if o.Name == "" {
		return plural
	}
	return plural + "/" + o.Name
}
