// Package sweep runs a scenario with many seeds, and sorts what fails.
//
// Another seed is another simulation: other latencies, another order of what happens at the same instant, other names.
// A Sweep hands the seeds to workers (scenarios/child), one on each core, and runs every seed that fails once more in a
// fresh process, to see that it fails there with the same trace. What it finds goes into a Store, a line a seed, as
// soon as it is known, so that a sweep that was interrupted continues where it was.
//
// Groups puts failures together that fail the same check after the same first divergent decision: the
// first that no seed which passed took, at that point of the same controller's work on the same key.
//
//	store, _ := sweep.Open(dir, header)
//	s := sweep.Sweep{File: file, Seeds: sweep.Seeds{From: 1, Count: 1000, Shards: 1}, Store: store, Workers: 2}
//	err := s.Run(ctx)
//	groups := store.Results().Groups()
package sweep
