// Package network is what is between the clients of a simulation and its API server.
//
//	client of a controller ──> gate ──> engine ──> API server ──> store
//	                            ▲         │                         │
//	                            └─ answer ┘      watch events <─────┘
//
// A request has four stages:
//
//  1. Sent. A client calls Do (Transport), and its gate (gate.go) asks the limiter of the client and makes the request an
//     event of the engine, which decides when it reaches the server (travel.go). The client waits.
//  2. Received. A worker of the server takes a write. A fault may delay, hold or refuse the request (intercept.go), and so
//     may the server, where a real one would wait (hold.go).
//  3. Executed. The request has its turn to write (turn.go). One for which webhooks are called is suspended until they have
//     answered (suspend.go, webhooks.go).
//  4. Published. The record of the request is written, observers get its writes (publish.go), and each stream
//     sends them to its client (stream_send.go). The answer travels back.
//
// Execute is the last two stages only, for the parts of the simulation that run on the engine's goroutine.
package network
