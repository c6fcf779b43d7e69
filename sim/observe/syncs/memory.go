package syncs

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/observe/digest"
)

// What a controller does next depends on the syncs that are under way, too: on what they have read, and on the answers that they have
// received. The memory of a sync stands for that, for those who compare states.

// memory is what a sync has learned.
type memory struct {
	digest.Digest
	// answers counts the answers, and reads the reads, at the last look.
	answers, reads int
}

// Answered notes an answer to a request of the sync.
func (s *Sync) Answered(answer digest.Digest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers++
	s.memory.Digest = digest.Of(fmt.Append(nil, s.memory.Digest, answer))
}

// Learn brings the memories of the syncs under way up to date. It must be called whenever the simulation is quiescent. cached is the digest
// of the caches of a resource that an actor may read.
func (o *Observer) Learn(cached func(actor, resource string) digest.Digest) {
	for _, s := range o.underWay() {
		s.learn(cached)
	}
}

func (s *Sync) learn(cached func(actor, resource string) digest.Digest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.memory.answers == s.answers && s.memory.reads == len(s.reads) {
		return
	}
	s.memory.answers, s.memory.reads = s.answers, len(s.reads)
	resources := map[string]bool{}
	for _, read := range s.reads {
		resources[read.Resource] = true
	}
	for _, resource := range slices.Sorted(maps.Keys(resources)) {
		s.memory.Digest = digest.Of(fmt.Append(nil, s.memory.Digest, resource, cached(s.Actor, resource)))
	}
}

// underWay are the syncs that have not ended, in the order of their actors.
func (o *Observer) underWay() []*Sync {
	o.mu.Lock()
	defer o.mu.Unlock()
	var found []*Sync
	for _, actor := range slices.Sorted(maps.Keys(o.recent)) {
		for _, s := range o.recent[actor] {
			s.mu.Lock()
			if s.ended == never {
				found = append(found, s)
			}
			s.mu.Unlock()
		}
	}
	return found
}

// delay is a delayed addition to a queue: by the sync of a key, at a virtual time.
type delay struct {
	key string
	at  time.Duration
}

// noteDelay notes a delayed addition, of a sync or of a handler.
func (q *queue) noteDelay(s *Sync, at time.Duration) {
	if !q.observer.KeepDelays {
		return
	}
	d := delay{at: at}
	if s != nil {
		d.key = s.Key()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.delays[d] = true
}

// WriteState writes the syncs that are under way with what they have learned, and for each queue how many keys wait, and which delayed
// additions there have been.
func (o *Observer) WriteState(w io.Writer) {
	lines := []string{}
	for _, s := range o.underWay() {
		s.mu.Lock()
		lines = append(lines, fmt.Sprintln(s.Actor, s.Queue, s.key, s.memory.Digest))
		s.mu.Unlock()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, same := range o.queues {
		for _, q := range same {
			lines = append(lines, q.state())
		}
	}
	slices.Sort(lines)
	for _, line := range lines {
		_, _ = io.WriteString(w, line)
	}
}

// state is a line about a queue.
func (q *queue) state() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting := 0
	for _, entries := range q.entries {
		waiting += len(entries)
	}
	delays := []string{}
	for d := range q.delays {
		delays = append(delays, fmt.Sprint(d.key, " ", d.at))
	}
	slices.Sort(delays)
	return fmt.Sprintln(q.actor, q.order, waiting, delays)
}
