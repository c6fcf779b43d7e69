package network

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
)

// convertLater takes the next event when it is its turn.
func (st *stream) convertLater() {
	if st.conversion.busy {
		return
	}
	st.conversion.busy = true
	st.network.Engine.Schedule(&engine.Event{Key: st.conversion.call.key, Run: st.convert})
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
	own.task = causedBy(st.network.written.of(rv).seq)
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
		if taken && st.isServing() {
			st.send(&arrival{event: event, rv: revisionOf(event), listed: listed})
		}
		c.busy = false
		if _, waits := st.source.Waiting(); waits {
			st.convertLater()
		}
	}}
	st.network.begin(x)
}
