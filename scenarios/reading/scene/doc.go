// Package scene says what is to be seen at one beat of a recording. That is workloads with their Pods between their bounds, the programs
// of the cluster with their messages, nodes, work queues and caches, the objects in the store with their owners, the arithmetic of a
// sync, the decisions of a controller, and what the lesson directs the reader to. It is the one source of all drawings:
//
//	scenes := scene.New(rec)
//	beat := scenes.At(seq, now)
//	beat.Rollout(workload)    // bars, posts, Pods, what is true now
//	beat.Programs(programs)   // who talks to whom; all of them talk to the API server only
//	beat.Queues()             // what controllers still have to do
//	beat.Caches()             // and what they do not know yet
//	beat.Objects()            // what is in the store, and who owns it
//	beat.Sum(workload)        // why: the numbers of a sync
//
//	terminal   tui/internal/pane, tui/internal/views/lanes
//	page       scenarios/web/page: the values as JSON, and one function of JavaScript for each of them
//	film       scenarios/web/picture
//
// A value has everything that a drawing needs, in words and numbers, and no drawing computes any of it again. Whether something can
// be seen is decided here as well: while a question is open, a beat with Asked has nothing that tells its answer.
//
// A tone, such as "ready", names a color by what it means: package palette has its colors.
package scene
