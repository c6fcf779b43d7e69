package sim

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
)

// conversion is what a stream has whose events a webhook may have to convert. To take an event is then like a request that may be
// suspended:
//
//	write --> event waits --> begin, call of the webhook, end: the event is sent
//
// The events are taken one after the other, because a stream keeps their order.
type conversion struct {
	call *call
	// opened is the revision of the store when the watch was opened, and seq the record of the request.
	opened uint64
	seq    int64
	// listing means that the stream begins with the state of the store.
	listing bool
	// busy means that an event is being taken.
	busy bool
}

// newConversion is that of a request for a watch.
func newConversion(st *stream, c *call, revision uint64, seq int64) *conversion {
	key := "convert|" + st.name + "|" + c.request.Resource.Version + "|" + c.request.Namespace
	return &conversion{
		call: &call{request: c.request, key: key, ended: func() {}}, opened: revision, seq: seq, listing: st.about.listing,
	}
}

// causedBy is a Task that consists in one record.
type causedBy int64

// Seq implements Task.
func (t causedBy) Seq() int64 { return int64(t) }

// Sent implements Task.
func (causedBy) Sent(int, bool) {}

// convertLater takes the next event when it is its turn.
func (st *stream) convertLater() {
	if st.conversion.busy {
		return
	}
	st.conversion.busy = true
	st.sim.Engine.Schedule(&engine.Event{Key: st.conversion.call.key, Run: st.convert})
}

// convert takes the oldest event that waits.
func (st *stream) convert() {
	c := st.conversion
	c.busy = false
	rv, waits := st.source.Waiting()
	if !waits {
		return
	}
	c.busy = true
	listed := c.listing && rv <= c.opened
	own := *c.call
	own.task = causedBy(st.sim.written[rv].seq)
	if listed {
		own.task = causedBy(c.seq)
	}
	var event watch.Event
	var taken bool
	take := func(apiserver.Request) (runtime.Object, error) {
		event, taken = st.source.Next()
		return nil, nil
	}
	x := &execution{call: &own, request: own.request, do: take, finish: func() {
		if taken && st.serving() {
			st.send(&arrival{event: event, rv: revision(event), listed: listed})
		}
		c.busy = false
		if _, waits := st.source.Waiting(); waits {
			st.convertLater()
		}
	}}
	st.sim.begin(x)
}
