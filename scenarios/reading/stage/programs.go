package stage

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
)

// Program is a program as a card.
type Program struct {
	Name string `json:"name"`
	// Mark is the state of its process as a sign of one cell, and About in words, as far as it is unusual.
	Mark  string       `json:"mark"`
	About string       `json:"about,omitempty"`
	Tone  palette.Tone `json:"tone,omitempty"`
	// Queue are the keys that it has to sync, those that it syncs now first, and Later those that it syncs again at a time.
	Queue []Chip `json:"queue,omitempty"`
	// Cache says how far its caches are behind the store; empty if they are not.
	Cache string `json:"cache,omitempty"`
	// Decided is what its last sync decided; empty for a program without a queue.
	Decided string `json:"decided,omitempty"`
	// Last is the last message of a program without a queue.
	Last string `json:"last,omitempty"`
	// Acts says that the record is its own.
	Acts bool `json:"acts,omitempty"`
	// Focused says that the lesson is about it now, and Aside that it is about others.
	Focused bool `json:"focused,omitempty"`
	Aside   bool `json:"aside,omitempty"`
}

// Chip is a key in a queue.
type Chip struct {
	Key string `json:"key"`
	// State is what becomes of the key: it is in work, waits, or returns later. When says when, in words.
	State State  `json:"state"`
	When  string `json:"when,omitempty"`
	// Retries is how many consecutive syncs of the key requeued it or failed.
	Retries int `json:"retries,omitempty"`
}

// State is where a key is.
type State string

// The states of a key. Backoff and Unschedulable are the other parts of the queue of kube-scheduler.
const (
	InWork        State = "in work"
	Waits         State = "waits"
	Later         State = "later"
	Backoff       State = "backoff"
	Unschedulable State = "unschedulable"
)

// behind is for how long a change must be missing in a cache so that the stage says so: each takes some milliseconds to arrive.
const behind = 100 * time.Millisecond

// mostChips is how many keys of a program are shown.
const mostChips = 5

// programs are those at the left.
func (c *Cast) programs(b *scene.Beat) []Program {
	of := b.Programs(c.Programs)
	queues := b.Queues()
	actor := b.Rec.Actor(b.Seq)
	focus := b.Direction(b.Seq).Programs
	camera := slices.ContainsFunc(of, func(p scene.Program) bool { return slices.Contains(focus, p.Name) })
	programs := make([]Program, len(of))
	for i := range of {
		p := &of[i]
		programs[i] = Program{
			Name: p.Name, Mark: p.Mark, About: p.About, Tone: p.Tone, Decided: c.key(p.Decided), Acts: p.Is(actor),
			Focused: slices.Contains(focus, p.Name),
		}
		programs[i].Aside = camera && !programs[i].Focused
		if p.Idle {
			programs[i].Decided = ""
		}
		if p.Decided == "" && p.Message != nil {
			programs[i].Last = c.Spoken(p.Message.Text)
		}
		if p.Behind >= behind {
			programs[i].Cache = p.Cache
		}
		for n := range queues {
			if q := &queues[n]; p.Is(q.Actor) {
				programs[i].queue(c, q)
			}
		}
	}
	return programs
}

// queue adds the keys of a queue.
func (p *Program) queue(c *Cast, q *scene.Queue) {
	for _, part := range []struct {
		state State
		keys  []scene.Key
	}{{InWork, q.InWork}, {Waits, q.Waiting}, {Backoff, q.Backoff}, {Unschedulable, q.Unschedulable}, {Later, q.Timers}} {
		for _, k := range part.keys {
			if len(p.Queue) == mostChips {
				return
			}
			chip := Chip{Key: c.key(k.Key), State: part.state, Retries: k.Retries}
			if slices.ContainsFunc(p.Queue, func(other Chip) bool { return other.Key == chip.Key }) {
				continue
			}
			if part.state == Later {
				chip.When = k.When
			}
			p.Queue = append(p.Queue, chip)
		}
	}
}
