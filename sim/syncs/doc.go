// Package syncs sees the reconcile loops of controllers from outside, without touching their code.
//
// A controller keeps keys in a client-go work queue; a worker takes one, syncs it, and gives it back. Three
// public hooks of upstream tell when that happens and what was looked at:
//
//   - work queue metrics (workqueue.SetProvider) are called on the goroutine that adds, takes or gives
//     back a key, so that goroutine can be tagged with the sync (package activity);
//   - the informers' indexers, which the simulation wraps, are where a sync reads its caches; the first
//     object that a sync looks up is the one that its key names;
//   - errors and log lines arrive through the handlers of apimachinery and klog.
//
// The queue never tells a key. It is known once the sync looks it up, or when a log line names it.
package syncs
