// Package sweep runs a scenario with many seeds, and groups the failures.
//
// Another seed is another simulation: other latencies, another order of simultaneous events, other names. A Sweep
// passes the seeds to workers (scenarios/explore/child), one per core. At the end it runs the smallest failing seeds of each group
// once more in a new process, to verify that they fail with the same trace. The results are written to a Store, one line per
// seed, as soon as they are known, so that an interrupted sweep can resume.
//
// A sweep may have millions of seeds, in shards on many machines. The file of each shard has the plan of the whole sweep, so that Merge
// can tell which seeds did not run (Results.Missing). A result takes less than a hundred bytes, on disk and in memory: of the runs that
// ended in the same way only one has its details, and the others refer to it.
//
// Groups groups runs in which the same is wrong at the end: the same object is stuck, the same object is late, or the same
// check failed and objects of the same kinds ended in another state than without the faults. Outliers ranks the runs that
// passed and yet differ most from those without their faults.
//
// With Places, a sweep is not one over seeds but over the places of one run: each run has one fault, and the numbers of the places are what
// other sweeps have seeds for.
//
//	store, _ := sweep.Open(dir, header)
//	s := sweep.Sweep{File: file, Seeds: sweep.Seeds{From: 1, Count: 1000, Shards: 1}, Store: store, Workers: 2}
//	err := s.Run(ctx)
//	groups := store.Results().Groups()
package sweep
