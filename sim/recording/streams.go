package recording

import (
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// StreamState is the state of an informer's cache compared with the store.
type StreamState struct {
	Name string
	// Cache and Store are the resourceVersions of the last change in the cache and in the store.
	Cache, Store uint64
	// UnderWay are the writes that the cache has not received, the oldest first. The first of them arrives At, if it
	// ever does.
	UnderWay []int64
	At       time.Duration
	// Events is how many have arrived so far.
	Events int
	// Lag is how old the last change was when it arrived.
	Lag time.Duration
}

// StreamsAt is the state of all informers that ever received a watch event.
func (r *Recording) StreamsAt(seq int64) []StreamState {
	var states []StreamState
	for _, i := range r.Caches.Informers() {
		if i.events > 0 {
			states = append(states, r.StreamAt(i, seq))
		}
	}
	return states
}

// StreamAt is the state of an informer; empty if it never receives a watch event.
func (r *Recording) StreamAt(i *Informer, seq int64) StreamState {
	if i.events == 0 {
		return StreamState{}
	}
	plural, _, _ := strings.Cut(i.Resource, ".")
	state := StreamState{
		Name: i.Actor + "/" + plural, Store: r.Caches.Store().newest(i.Resource, seq),
	}
	revision := i.Revision(seq)
	state.Cache = r.Caches.Store().lastRevision(i.Resource, revision)
	n := i.until(seq)
	if n > 0 {
		state.Events, state.Lag = int(i.changes[n-1].events), i.changes[n-1].lag
		for _, w := range r.Caches.Store().writes(i.Resource, revision, seq) {
			state.UnderWay = append(state.UnderWay, w.Seq)
		}
	}
	for _, c := range i.changes[n:] {
		if c.event {
			state.At = c.at
			break
		}
	}
	return state
}

// Epoch is the date at which At is 0; zero if the trace does not tell.
func (r *Recording) Epoch() time.Time { return r.epoch }

// began computes the epoch from the date of the first record.
func (r *Recording) began(record *trace.Record) {
	if !record.Date.IsZero() {
		r.epoch = record.Date.Add(-record.At)
	}
}
