// Package sim simulates a cluster for controllers: virtual time, an API server in memory, and the trace of everything
// that happens. It does not depend on any controller.
//
// A Simulation makes what runs in it reproducible: time, ids, randomness, jitter and time zone are functions of its
// options. Package network has the clients, the API server and what is between them.
//
// A Simulation must be created and used inside a bubble (engine.Bubble), on the bubble's root goroutine. What runs in
// it, such as controllers and the steps of a user, gets clients from Client and runs on its own goroutines.
package sim
