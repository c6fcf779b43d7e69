// Package syncs observes the reconcile loops of controllers without changing their code.
//
// A controller keeps keys in a client-go work queue; a worker takes a key, syncs it, and marks it done. Three public
// hooks of upstream report when that happens and what the sync reads:
//
//   - work queue metrics (workqueue.SetProvider) are called on the goroutine that adds, takes or gives
//     back a key, so that goroutine can be tagged with the sync (package activity);
//   - the informers' indexers, which the simulation wraps, are where a sync reads its caches; the first
//     object that a sync looks up is the one that its key names;
//   - errors and log lines arrive through the handlers of apimachinery and klog.
//
// The queue never reports a key. It is known once the sync looks it up, or when a log line names it.
package syncs
