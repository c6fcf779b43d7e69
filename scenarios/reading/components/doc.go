// Package components describes who talks to whom at one record of a recording: each component of the cluster, its last message to or
// from the API server, and what a controller knows and is about to do. All components talk to the API server only.
//
// A Finder reads a recording once and finds its components. A component has the same place at every record, so that a reader can follow it:
//
//	kubectl                   ── patch deployments/web ──▶
//	deployment-controller     ◀── deployments/web MODIFIED ──
//	  cache                   replicasets: 1 change not seen yet
//	  queue                   default/web
//	replicaset-controller
//	kube-scheduler
//	kubelet                   node-1 ●●  node-2 ●
//
// At returns the State after one record, from lookups of sim/recording and scenarios/reading/why. A request is a message at the time
// at which the server executed it, a watch event at the time at which it arrived at the informer, and the call of a webhook, which the
// server makes, at the time of its answer.
package components
