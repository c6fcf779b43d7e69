package controllers

import "github.com/kubestep/kubestep/sim/observe/syncs"

// queueTraits returns the special properties of a work queue of upstream.
//
// The garbage collector has three. Every watch event of every resource goes through the first and updates
// its graph; the keys of the other two are nodes of the graph, of which no cache and no log line tells the
// name. Dependents enter them in the order of a map that is keyed by pointers (pkg/controller/garbagecollector).
//
// The taint eviction controller has two, from which one goroutine hands the keys on to workers that it picks by
// the name of the node (pkg/controller/tainteviction).
//
// The autoscaler's handler queues, at each resync after 15 s, what is due after 15 s (enqueueHPA in
// pkg/controller/podautoscaler/horizontal.go).
//
// The quota controller counts each resource in the order of a map (pkg/quota/v1, CalculateUsage).
func queueTraits(name string) syncs.Traits {
	switch name {
	case "garbage_collector_graph_changes", "noexec_taint_node", "noexec_taint_pod":
		return syncs.Traits{Relay: true}
	case "garbage_collector_attempt_to_delete":
		return syncs.Traits{KeyFromRequest: true}
	case "resourcequota_primary", "resourcequota_priority":
		return syncs.Traits{SortReads: true}
	case "horizontalpodautoscaler":
		return syncs.Traits{PauseDelays: true}
	}
	return syncs.Traits{}
}
