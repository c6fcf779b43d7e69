// Package sim simulates a cluster for controllers: virtual time, an API server in memory, and the trace of everything
// that happens. It does not depend on any controller.
//
//	client of a controller ──> gate ──> engine ──> API server ──> store
//	                            ▲         │                         │
//	                            └─ answer ┘      watch events <─────┘
//
// A request has four stages. A client calls Do (Transport), and its gate sends the request: the engine schedules when
// it reaches the server. The server receives it: a fault may delay, hold or refuse it, and so may the server, where a
// real one would wait. Then the server executes it, and its record and its writes are published. Execute is the last
// two stages only, for the parts of the simulation that run on the engine's goroutine.
//
// A Simulation must be created and used inside a bubble (engine.Bubble), on the bubble's root goroutine. What runs in
// it, such as controllers and the steps of a user, gets clients from Client and runs on its own goroutines.
package sim
