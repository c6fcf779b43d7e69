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
// A recording needs nothing else to be understood: a creation holds the object and an update the fields
// that it changed (package diff), so Replay gives every object at every record. ReadJSONL reads the lines back,
// Verify checks them. sim/recording has the lookups.
//
// TextWriter writes a recording for people: who did what, why, and what came of it. It is made of rows, each of one
// record (Describe), whose words for writes are in Summarize. What only the neighbors of a record tell is added there:
// causes in words, the outcome of a sync in its first line, and counts of what repeats. docs/reference/trace-format.md
// is the legend of both forms.
//
// The package knows no other package of the simulation but the table of kinds and package diff.
package trace
