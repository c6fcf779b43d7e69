package node

import (
	"time"

	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// Heartbeats that nobody looks at are most of what happens in a cluster at rest: 26,000 records a day with three nodes. In a
// long run, the kubelets leave them out as long as no client watches Leases for them, as node-lifecycle-controller does to
// notice that a node is gone. A record says so. With the first such watch they begin again, at the times that they would
// have had. The garbage collector watches Leases, too, but only reads who owns them.
//
// What differs from a run with heartbeats: renewTime of the leases and lastHeartbeatTime of the nodes are old,
// resourceVersions are smaller, and the watches of Leases and Nodes deliver fewer events and bookmarks.

// leftOut is the message of the record.
const leftOut = "heartbeats of nodes are left out until somebody watches leases"

// resting are heartbeats that are left out.
type resting struct {
	// allowed means that heartbeats may be left out, watched that somebody watches leases.
	allowed, watched bool
	asleep           []beat
	told             bool
}

// beat is a heartbeat that comes back: at a time, and every period from there.
type beat struct {
	at, period time.Duration
	resume     func(at time.Duration)
}

// Rest allows the kubelets to leave out heartbeats that nobody looks at. looks reports whether the client of a watch of
// Leases does; nil means that all do. It must be called before there are nodes.
func (k *Kubelets) Rest(looks func(*network.Stream) bool) {
	k.rest.allowed = true
	leases := leaseResource.GroupResource().String()
	k.sim.OnWatch(func(stream *network.Stream) {
		if stream.Resource != leases || looks != nil && !looks(stream) {
			return
		}
		k.rest.watched = true
		now := k.sim.Engine.Now()
		for _, b := range k.rest.asleep {
			// The next time that is a whole number of periods after the last.
			missed := max(0, (now-b.at+b.period)/b.period)
			b.resume(b.at + missed*b.period)
		}
		k.rest.asleep = nil
	})
}

// rests reports whether a heartbeat is left out, and keeps it for later.
func (k *Kubelets) rests(b beat) bool {
	if !k.rest.allowed || k.rest.watched {
		return false
	}
	if !k.rest.told {
		k.rest.told = true
		k.sim.Recorder.Emit(&trace.Record{
			Kind: trace.KindLog, Actor: Actor, Background: true, Log: &trace.Log{Message: leftOut},
		})
	}
	k.rest.asleep = append(k.rest.asleep, b)
	return true
}
