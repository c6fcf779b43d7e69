package network

import (
	"time"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
)

// send assigns a time of arrival to an event. The scheduled arrivals of a stream are identical: whichever the engine
// runs first delivers the oldest event under way, so their order does not matter.
func (st *stream) send(a *arrival) {
	a.sent, a.notBefore = st.network.Engine.Now(), engine.Past
	st.sent = max(st.sent, a.rv)
	st.travelling = append(st.travelling, a)
	st.network.Engine.Schedule(&engine.Event{Key: "watch|" + st.name, Upkeep: a.isUpkeep(), Open: st.open(), Due: st.due, Run: func() {
		head := st.travelling[0]
		st.travelling = st.travelling[1:]
		st.arrive(head)
	}})
}

// due is when the next event arrives: after the previous one, or at the same time if the latency is zero.
func (st *stream) due() time.Duration {
	lag := st.network.lag(st.name)
	if st.actor() == apiserver.Self {
		// The server's watches of itself need no network.
		lag = 0
	}
	due := st.network.Engine.Now() + lag
	if due <= st.last && !st.network.options.isLockStep() {
		due = st.last + 1
	}
	due = max(due, st.last)
	st.last = due
	return due
}
