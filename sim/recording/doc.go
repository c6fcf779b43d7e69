// Package recording provides lookups in a run: every record, the objects at every record, the content of each cache and
// each work queue, causes, and the workloads.
//
// It is based on the records of sim/trace, and everything that reads a run is based on it: the terminal, the comparison
// of runs, explanations of syncs, the invariants, tests. It depends on neither the simulation nor the API server, so it
// can read a trace without them.
//
// Some of it can follow a run record by record with little memory: Store has the versions of each object in the API
// server, and Caches those that each informer has received. Invariants use them during the run. A Recording builds on
// them and on trace.Replay and keeps everything. A Builder creates it from records (Read does so for JSON lines,
// scenarios/explore/child for a run in another process, Builder.Sink for one in this process), and it does not change
// afterwards. Everything that a screen shows is a lookup by the number of a record.
//
//	rec, err := recording.Read(file, recording.Origin{Name: "trace"})
//	rec.Row(seq)                                   // who did what, why, and what came of it
//	rec.Chain(seq, 6)                              // the causes, the nearest first
//	rec.Caches.Read(actor, "pods").Version(o, seq) // what a controller's cache had of an object
//	rec.QueuesAt(seq)                              // keys that wait, are in work, or come back by a timer
//	recording.Diverge(a.All(), b.All(), nil, recording.SameLine)
package recording
