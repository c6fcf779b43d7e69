// Package live is the door between a simulation and the clients outside of its bubble, for a simulation that somebody uses
// while it runs.
//
// A goroutine outside must not touch a channel that was made in the bubble, but the engine may wait for what was made
// outside: virtual time stands still meanwhile. So whoever has something to do in the simulation leaves it at the door and
// waits; and the engine looks at the door whenever nothing is due (engine.Outside).
//
//   - Do runs a function at that moment: a look at the store, which changes nothing and takes no virtual time.
//   - Write leaves something that the steps of the run will do, one after the other, each at a virtual time of its own.
//
// The door also decides how fast virtual time passes: Pace.
package live
