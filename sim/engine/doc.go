// Package engine runs a simulation in virtual time, one event after the other.
//
// A simulation lives in a bubble of testing/synctest: time.Now, timers and sleeps of all code in it, upstream's
// included, are virtual, and the clock only moves when every goroutine waits. The engine is the bubble's root
// goroutine. It knows when the simulation is quiescent (synctest.Wait), and only then lets the next thing happen: one
// API request, one watch delivery, one heartbeat. Between two events the controllers run freely until all of them wait
// again.
//
//	quiescent -> sort what was asked for meanwhile -> run the first due event -> quiescent -> ...
//	          -> nothing due: sleep; the bubble's clock jumps to the next event or timer
//
// # Where the order comes from
//
// Several goroutines may ask for something between two events, in an order that Go's scheduler picks. The
// engine never uses that order: it sorts what came in by its canonical key (who, verb, what) and only then
// gives each its due time. Events that are due at the same instant run in the order of the turns in which
// they were asked for; the seed orders those of one turn.
//
// # Virtual time
//
// The engine counts time from time zero, which lies a start-up ahead of the beginning. Now is how long ago that was,
// At and After schedule events, Call runs a function on the engine's goroutine, and Sleep waits on any other. This
// package is the only place where virtual time enters; a lint test keeps others from reading the clock. Upstream's
// code reads the clock of the bubble, which is virtual, and is told nothing. The store of the API server
// does the same for objects with a time to live, since it knows no engine.
package engine
