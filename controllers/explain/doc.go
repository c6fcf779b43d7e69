// Package explain says why the Deployment controller did what it did, with the numbers that it had.
//
// A controller decides from its caches, which may be older than the store. So an explanation begins with
// what the caches held when the sync began, which a recording tells (sim/recording), and computes from there with
// upstream's own exported functions: what maxSurge 25% of 10 is comes from deploymentutil.ResolveFenceposts,
// how many Pods the new ReplicaSet may get from deploymentutil.NewRSNewReplicas. What upstream keeps to
// itself, such as the order in which old ReplicaSets shrink, is computed here.
//
//	rec, err := recording.ReadFile("trace.jsonl")
//	e := explain.At(rec, seq) // the start or the end of a sync, or a request of it
//	lines := e.Text(80)
//
// A test keeps this honest: it plays every shipped scenario and many random ones with the real controller,
// and wants each explanation to name exactly the requests that the sync sent, the sizes that it changed and
// the condition that it left. A request that the API server refused for a reason that the sync could not
// know, an old copy or a fault, ends what is explained (Explanation.Refused).
package explain
