package network

import (
	"time"

	"github.com/kubestep/kubestep/sim/engine"
)

// Range is a span of time that is drawn from the seed, both ends included.
type Range struct{ Min, Max time.Duration }

// Latency is how long everything takes. A request travels to the server, waits until the server has a worker for it, is
// executed, and its response travels back:
//
//	send --Request--> arrival, wait --Service--> execution --Response--> answer
//	                                                  \-----Watch-----> watch event
//
// If all of these are zero, the simulation is in lock-step: a request is executed and answered at the instant at which it
// is sent.
type Latency struct {
	// Request and Response are how long a request and its response travel, drawn for each.
	Request, Response Range
	// Service is how long the server works on a write, drawn for each. It works on a few writes at the same time; others
	// wait. Reads come from the server's memory and take no time there.
	Service Range
	// Watch is the lag of watch events. Each stream has one, which changes slowly within the range.
	Watch Range
}

// isLockStep reports whether nothing takes time.
func (l Latency) isLockStep() bool {
	return l.Request.Max == 0 && l.Service.Max == 0 && l.Response.Max == 0 && l.Watch.Max == 0
}

// lagPeriod is how long the lag of a stream takes from one drawn value to the next.
const lagPeriod = 2 * time.Second

// lag is how far the events of the stream of a name are behind now. It is a function of the time: between two drawn values it
// changes linearly, as on a connection whose load changes. Independent draws for each event would make one event in two
// arrive much later than its neighbours, which the order of a stream then imposes on all events behind it.
func (r Range) lag(seed uint64, name string, now time.Duration) time.Duration {
	if r.Max <= r.Min {
		return r.Min
	}
	period, rest := now/lagPeriod, now%lagPeriod
	if rest < 0 {
		period, rest = period-1, rest+lagPeriod
	}
	from, to := lagAt(seed, name, period), lagAt(seed, name, period+1)
	at := float64(rest) / float64(lagPeriod)
	// The conversion keeps compilers for other architectures from computing the product and the sum in one rounding.
	return r.Min + time.Duration((from+float64((to-from)*at))*float64(r.Max-r.Min))
}

// lagAt draws the lag of a stream at the beginning of a period, as a fraction of the range.
func lagAt(seed uint64, name string, period time.Duration) float64 {
	return engine.Fraction(engine.Hash(seed^uint64(period), "lag|"+name))
}
