// Package scheduler runs upstream's kube-scheduler, unmodified, in a simulation, and records its attempts.
//
// scheduler.New of k8s.io/kubernetes/pkg/scheduler builds everything: the cache of nodes, the queue with its three parts, the
// profiles with their plugins. Start only gives it clients and informers of the simulation, as
// cmd/kube-scheduler/app/server.go does with those of a cluster.
//
// No upstream code announces what an attempt found out. Four places that upstream exports show it together:
//
//   - Scheduler.NextPod returns the Pod that comes next: an attempt begins.
//   - Scheduler.Profiles holds the framework of each profile as an interface. A wrapper sees the verdict of each plugin on each
//     node, the scores, and the plugins that run while the Pod is bound.
//   - Scheduler.FailureHandler is called when an attempt fails, and the PostBind plugins run when one succeeds.
//   - The queue logs each move of a Pod between its parts, and why, at verbosity 3 to 5.
package scheduler
