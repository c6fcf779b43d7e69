// Package trace defines the trace of a run: an append-only list of records, each with its cause.
//
// Every consumer of a run reads it: the text on the terminal, the checks, the golden files, the user interface. Nothing
// else of a run is kept. A record is one line of JSON (see Record); the trace hash is the SHA-256 of exactly those
// lines.
//
// Causes form chains. A request names the sync that sent it, a sync names the enqueue that made it run, an enqueue
// names the watch event that a handler received, and the watch event names the request that wrote the object:
//
//	17 request  kubectl creates deployments/web
//	18 watch    deployments informer sees ADDED web         cause 17
//	19 enqueue  queue deployment, default/web               cause 18
//	20 sync     deployment-controller starts default/web    cause 19
//	21 request  creates replicasets/web-5d9f                cause 20
//
// A trace is self-contained: a creation holds the object and an update the fields that it changed (package diff), so
// Replay returns every object at every record. ReadJSONL reads the lines back, and Verify checks them. sim/recording
// has the lookups.
//
// TextWriter writes a trace as text: who did what, why, and with which result. It consists of rows, each for one record
// (Describe); Summarize describes writes. TextWriter adds what only other records say: causes, the outcome of a sync in
// its first line, and counts of repetitions. docs/reference/trace-format.md documents both forms.
//
// Of the other packages of the simulation, this one imports only the table of kinds and package diff.
package trace
