// Package recording looks things up in a run: every record, the objects at every record, what each cache and each work
// queue held, what caused what, and the workloads as a reader thinks of them.
//
// It stands above sim/trace, of which it needs the records only, and below everything that reads a run: the terminal, the
// comparison of runs, the arithmetic of syncs, the invariants, tests. It knows neither the simulation nor the API server,
// so a trace can be read where there is none.
//
// There are two ways in. Some of it can follow a run while it is running, record by record, and keeps little: Store
// knows which versions the API server has had of each object, and Caches which of them each informer has received. An
// invariant asks them during the run. A Recording rests on them and on trace.Replay and keeps everything. It is made
// once, by a Builder that is fed with records (Read does it for JSON lines, scenarios/child for a run in a process of
// its own, Builder.Sink for one in this process), and does not change afterwards. To look at another moment is to look
// at another number: all that a screen shows is a lookup by the number of a record.
//
//	rec, err := recording.ReadFile("trace.jsonl")
//	rec.Row(seq)                                   // who did what, why, and what came of it
//	rec.Chain(seq, 6)                              // the causes, the nearest first
//	rec.Caches.Read(actor, "pods").Version(o, seq) // what a controller's cache had of an object
//	rec.QueuesAt(seq)                              // keys that wait, are in work, or come back by a timer
//	recording.Diverge(a.Records, b.Records, nil, recording.SameLine)
package recording
