// Package engine runs a simulation in virtual time, one event after the other.
//
// A simulation runs in a bubble of testing/synctest: time.Now, timers and sleeps of all code in it, including
// upstream's, are virtual, and the clock only moves when every goroutine waits. The engine is the bubble's root
// goroutine. It waits until the simulation is quiescent (synctest.Wait), and then runs the next event: one API request,
// one watch delivery, one heartbeat. Between two events the controllers run freely until all of them wait again.
//
//	quiescent -> sort what was asked for meanwhile -> run the first due event -> quiescent -> ...
//	          -> nothing due: sleep; the bubble's clock jumps to the next event or timer
//
// # Order
//
// Between two events, several goroutines may schedule events, in an order that Go's scheduler picks. The engine never
// uses that order: it sorts the new events by their canonical key (actor, verb, object) and only then assigns each its
// due time. Events due at the same time run in the order of the loop iterations in which they were scheduled; the seed
// orders those of one iteration.
//
// # Virtual time
//
// The engine counts time from time zero, which is a start-up period after the beginning. Now is the time since then, At
// and After schedule events, Call runs a function on the engine's goroutine, and Sleep waits on any other goroutine.
// This package is the only place that reads virtual time; a lint test keeps others from reading the clock. Upstream's
// code reads the clock of the bubble, which is virtual. The store of the API server does the same for objects with a
// time to live, since it does not depend on the engine.
package engine
