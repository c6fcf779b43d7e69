// Package sim is the simulation that controllers act on: virtual time, an API server in memory, and the recording of
// all that happens. It knows no controller by name.
//
//	client of a controller ──> gate ──> engine ──> API server ──> store
//	                            ▲         │                         │
//	                            └─ answer ┘      watch events <─────┘
//
// A request goes through four stages, each with a word of its own. A client calls Do (Transport), and its gate
// sends the request: the engine schedules when it reaches the server. There it is received: a fault may delay,
// hold or refuse it, and so may the server, where a real one would wait. Then the server executes it, and the
// record of it and its writes are published. Execute is the last stage alone, for the parts of the simulation that
// run on the engine's goroutine.
//
// A Simulation must be made and used inside a bubble (engine.Bubble), on the bubble's root goroutine.
// What runs in it - controllers, a user's steps - gets clients from Client and runs on goroutines of its own.
package sim
