// Package sim is the world that controllers act on: virtual time, an API server in memory, and the
// recording of all that happens. It knows no controller by name.
//
//	client of a controller ──> gate ──> engine ──> API server ──> store
//	                            ▲         │                         │
//	                            └─ answer ┘      watch events <─────┘
//
// A Simulation must be made and used inside a bubble (engine.Bubble), on the bubble's root goroutine.
// What runs in it - controllers, a user's steps - gets clients from Client and runs on goroutines of its own.
package sim
