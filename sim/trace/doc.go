// Package trace is the recording of a run: an append-only list of records, each with its cause.
//
// Everything that looks at a run reads it: the text on the terminal, the checks, the golden files, the
// interface. Nothing else of a run is kept. A record is one line of JSON (see Record); the hash of a run
// is the SHA-256 of exactly those lines.
//
// The causes chain. A request names the sync that sent it, a sync names the enqueue that made it run, an
// enqueue names the watch event that a handler saw, and the watch event names the request that wrote the
// object:
//
//	17 request  kubectl creates deployments/web
//	18 watch    deployments informer sees ADDED web         cause 17
//	19 enqueue  queue deployment, default/web               cause 18
//	20 sync     deployment-controller starts default/web    cause 19
//	21 request  creates replicasets/web-5d9f                cause 20
//
// The package knows no other package of the simulation.
package trace
