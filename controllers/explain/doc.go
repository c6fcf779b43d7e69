// Package explain says why a controller did what it did in one sync, with the numbers that it had.
//
// A controller decides from its caches, which may be older than the store. So an explanation begins with
// what the caches held when the sync began, which a recording tells (sim/recording), and computes from there with
// upstream's own exported functions: what maxSurge 25% of 10 is comes from deploymentutil.ResolveFenceposts,
// how many Pods the new ReplicaSet may get from deploymentutil.NewRSNewReplicas. What upstream keeps to
// itself, such as the order in which old ReplicaSets shrink, is computed here.
//
//	rec, err := recording.Read(file, recording.Origin{Name: "trace"})
//	e := explain.At(rec, seq) // the start or the end of a sync, or a request of it
//	lines := e.Text(80)
//
// # Layout
//
//	explain         At and Last: which function explains the syncs of which controller
//	  deployment    Deployments
//	  apps          ReplicaSets, ReplicationControllers, StatefulSets and DaemonSets
//	  batch         Jobs and CronJobs
//	  autoscaling   HorizontalPodAutoscalers
//	  policy        PodDisruptionBudgets
//	  nodes         taints of nodes, and the evictions that follow
//	  storage       PersistentVolumeClaims
//	  discovery     EndpointSlices
//	  scheduling    attempts of kube-scheduler
//	  garbage       objects that are deleted since their owners are
//	    observed    one sync in a recording, and the caches that it read
//	      arithmetic    the explanation itself: steps, lines, actions, and their text
//
// kube-scheduler's attempts say themselves what each plugin found out, so nothing of them is computed again.
//
// Some controllers act without a sync: by a timer, or by a queue with a rate limit. At explains their requests one by one, and the
// tests compare when each is due with when it was sent.
//
// # Add a controller
//
//  1. Write func Kind(s observed.Sync) *arithmetic.Explanation in the package of its family, or in a new one. It reads the
//     object of the key (Sync.Begin) and what else the controller reads (Sync.Get, Sync.List), adds a Step for each decision
//     with the function of upstream that takes it, says which requests follow (Explanation.Act) and what the status is then
//     (Explanation.Leave), and sets the Verdict. It ends with Sync.Finish, which adds what was refused.
//  2. Add a row to the table in at.go, and say so in its row of controllers.Properties. The interface, kubestep why and kubestep
//     explain show every controller of the table.
//  3. Add a row to the table in actions_test.go, with the requests that the arithmetic predicts, and a falsification to
//     TestWrongActionsDisagree. Add a script to testdata.
//
// The tests keep explanations honest: they play every shipped scenario and many random ones with the real controllers,
// and want each explanation to name exactly the requests that the sync sent. For Deployments they compare the sizes and the
// condition Progressing, too. A request that the API server refused for a reason that the sync could not
// know, an old copy or a fault, ends what is explained (Explanation.Refused).
package explain
