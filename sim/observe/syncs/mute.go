package syncs

import (
	"cmp"
	"slices"

	"github.com/kubestep/kubestep/sim/trace"
)

// Mute stops recording a process that crashed: nothing that its actors do from now on is recorded, and the syncs under
// way end now, with why as their error. The engine's goroutine calls it, while the simulation is quiescent.
func (o *Observer) Mute(process string, owns func(actor string) bool, why string) {
	var open []*Sync
	o.mu.Lock()
	for actor, all := range o.recent {
		if !owns(actor) {
			continue
		}
		for _, s := range all {
			s.mu.Lock()
			if s.ended == never && s.start == nil {
				s.ended, s.err = o.now(), why
				open = append(open, s)
			}
			s.mu.Unlock()
		}
	}
	o.muted[process] = owns
	o.mu.Unlock()
	slices.SortFunc(open, func(a, b *Sync) int { return cmp.Compare(a.Seq(), b.Seq()) })
	for _, s := range open {
		record := &trace.Record{Kind: trace.KindSync, Actor: s.Actor}
		s.end(record)
		o.recorder.Emit(record)
	}
}

// Unmute reverts Mute, for a process that starts again.
func (o *Observer) Unmute(process string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.muted, process)
}

// isMuted reports whether an actor belongs to a process that crashed.
func (o *Observer) isMuted(actor string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, owns := range o.muted {
		if owns(actor) {
			return true
		}
	}
	return false
}
