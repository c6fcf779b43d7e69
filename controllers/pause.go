package controllers

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// The functions below are how long some controllers take to go on after they have read a cache: the column pause of the table of
// properties. Code takes no virtual time, so what happens one after the other on a real machine happens at one instant here, and then
// the Go runtime picks the order. A nanosecond keeps the order that it has on a real machine.

// afterPods: a pass lists the Pods, and then queues the nodes that are gone for 40 s later; the next but one begins 40 s after the
// end of this one (gc in pkg/controller/podgc/gc_controller.go).
func afterPods(_ *manager, read trace.Read) time.Duration {
	if read.Items != nil && read.Resource == "pods" {
		return 1
	}
	return 0
}

// inOrderOfNames: at the start of the controller 30 workers take the nodes, and with them the ranges of one allocator (syncNode in
// pkg/controller/nodeipam/ipam/range_allocator.go). A real queue has an order, too: here it is that of the names.
func inOrderOfNames(m *manager, read trace.Read) time.Duration {
	if read.Items != nil || read.Resource != "nodes" {
		return 0
	}
	store := m.sim.Cache(m.process.actor(trace.InformerActor), "nodes")
	if store == nil {
		return 0
	}
	before, _ := slices.BinarySearch(slices.Sorted(slices.Values(store.ListKeys())), read.Name)
	return time.Duration(before)
}
