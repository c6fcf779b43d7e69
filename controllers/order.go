package controllers

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// The functions below report whether Go may decide the order of a controller's requests in a run, by its random order of maps or of
// timers. They are the column open of the table of properties.

// startsEndpoints: at the start of the controller its first worker and the check for Endpoints whose Service is gone run at once
// (checkLeftoverEndpoints in pkg/controller/endpoint/endpoints_controller.go): whether default/kubernetes is queued once or twice
// is open.
func (r run) startsEndpoints() bool { return r.syncs(names.EndpointsController) }

// dividesSlices and dividesMirrors: both controllers take new endpoints out of a set one by one (PopAny in
// k8s.io/endpointslice/util/endpointset.go). If there is more than one slice of a Service, it is open which endpoint is in which;
// within a slice they are sorted.
func (r run) dividesSlices() bool  { return r.dividesEndpoints(names.EndpointSliceController) }
func (r run) dividesMirrors() bool { return r.dividesEndpoints(names.EndpointSliceMirroringController) }

// emptiesNamespaces: deleteAllContent (pkg/controller/namespace/deletion/namespaced_resources_deleter.go) ranges over a map of
// resource types.
func (r run) emptiesNamespaces() bool {
	return r.requests(names.NamespaceController, func(r *trace.Request) bool { return r.Verb == "deletecollection" })
}

// restartsNodeLifecycle: at the start of the controller the workers for Pods and the first look at the nodes run at once: whether a
// Pod finds the health of its node already is open (processPod and monitorNodeHealth in
// pkg/controller/nodelifecycle/node_lifecycle_controller.go). It shows if there are Pods at a start.
func (r run) restartsNodeLifecycle() bool {
	return r.restarts() && r.syncs(names.NodeLifecycleController)
}

// choosesVolume: findByClaim (pkg/controller/volume/persistentvolume/index.go) takes the first of several volumes that fit equally
// well, from a cache of its own that lists in the order of a map.
func (r run) choosesVolume() bool {
	return r.requests(names.PersistentVolumeBinderController, bindsVolume) && r.equalVolumes()
}

// schedulesInAnyOrder: of equally good nodes, preemption takes the first of a map (pickOneNodeForPreemption in
// pkg/scheduler/framework/preemption/preemption.go), and an event that may help several Pods moves them in the order of another
// (unschedulablePods in pkg/scheduler/backend/queue).
func (r run) schedulesInAnyOrder() bool { return r.preempts() || r.movesTogether() }

// preempts reports whether kube-scheduler made room for a Pod.
func (r run) preempts() bool {
	return slices.ContainsFunc(r, func(record *trace.Record) bool {
		return record.Sync != nil && record.Sync.Attempt != nil && record.Sync.Attempt.Nominated != ""
	})
}

// movesTogether reports whether one event moved several Pods in the queue of kube-scheduler.
func (r run) movesTogether() bool {
	moved := map[int64]string{}
	for _, record := range r {
		if record.Enqueue == nil || record.Enqueue.Event == "" || record.Cause == 0 {
			continue
		}
		if key, again := moved[record.Cause]; again && key != record.Enqueue.Key {
			return true
		}
		moved[record.Cause] = record.Enqueue.Key
	}
	return false
}

// resyncPeriodMin is kube-controller-manager's default of --min-resync-period.
const resyncPeriodMin = 12 * time.Hour

// combined is the prefix of the message of an Event that client-go aggregates (EventAggregatorByReasonMessageFunc in
// client-go's tools/record/events_cache.go).
const combined = "(combined from similar events): "

// timerSlack is more than a request takes, and less than the time between two renewals.
const timerSlack = 100 * time.Millisecond

// run holds the records of a run.
type run []*trace.Record

// controllerOf is the controller of a record. One replica of several has a suffix: daemonset-controller@2.
func controllerOf(record *trace.Record) string {
	name, _ := trace.SplitActor(record.Actor)
	return name
}

// requests reports whether a controller made a request of a kind.
func (r run) requests(controller string, kind func(*trace.Request) bool) bool {
	return slices.ContainsFunc(r, func(record *trace.Record) bool {
		name := controllerOf(record)
		return record.Kind == trace.KindRequest && name == controller && kind(record.Request)
	})
}

// updatesDaemons reports whether daemonset-controller touched Pods after it had a second revision of a DaemonSet: rollingUpdate
// (pkg/controller/daemon/update.go) ranges over a map of nodes.
func (r run) updatesDaemons() bool {
	first, updates := map[string]string{}, false
	return r.requests(names.DaemonSetController, func(request *trace.Request) bool {
		if request.Resource == "pods" {
			return updates
		}
		for _, write := range request.Writes {
			if write.Resource != "controllerrevisions.apps" {
				continue
			}
			// The name of a revision is that of the DaemonSet and a hash.
			end := max(strings.LastIndex(write.Name, "-"), 0)
			set := write.Namespace + "/" + write.Name[:end]
			if first[set] == "" {
				first[set] = write.Name
			}
			updates = updates || write.Op != trace.OpDelete && first[set] != write.Name || write.Op == trace.OpUpdate
		}
		return false
	})
}

// dividesEndpoints reports whether a controller wrote endpoints into two slices for one Service and type of address.
func (r run) dividesEndpoints(controller string) bool {
	first := map[string]string{}
	return r.requests(controller, func(request *trace.Request) bool {
		return slices.ContainsFunc(request.Writes, func(write trace.Write) bool {
			var slice discoveryv1.EndpointSlice
			if write.Op != trace.OpCreate || json.Unmarshal(write.New, &slice) != nil || len(slice.Endpoints) == 0 {
				return false
			}
			service := slice.Namespace + "/" + slice.Labels[discoveryv1.LabelServiceName] + " " + string(slice.AddressType)
			if first[service] == "" {
				first[service] = slice.Name
			}
			return first[service] != slice.Name
		})
	})
}

// restarts reports whether a process was started again.
func (r run) restarts() bool {
	return slices.ContainsFunc(r, func(record *trace.Record) bool {
		return record.Fault != nil && record.Fault.Effect == trace.EffectRestart
	})
}

// syncs reports whether a controller did.
func (r run) syncs(controller string) bool {
	return slices.ContainsFunc(r, func(record *trace.Record) bool {
		name := controllerOf(record)
		return record.Kind == trace.KindSync && name == controller
	})
}

// evictsTogether reports whether several Pods were evicted within the time that requests travel. Each Pod has a timer of its own
// (CreateWorker in pkg/controller/tainteviction/timed_workers.go), and those of equal Pods on one node are due at one instant.
func (r run) evictsTogether() bool {
	last := time.Duration(-1)
	return slices.ContainsFunc(r, func(record *trace.Record) bool {
		name := controllerOf(record)
		if name != names.TaintEvictionController || record.Request == nil || record.Request.Verb != "delete" {
			return false
		}
		before := last
		last = record.At
		return before >= 0 && last-before < time.Second
	})
}

// bindsVolume recognizes the update by which the binder reserves a volume for a claim.
func bindsVolume(r *trace.Request) bool {
	return r.Resource == "persistentvolumes" && slices.ContainsFunc(r.Writes, func(w trace.Write) bool {
		return slices.ContainsFunc(w.Changes, func(c diff.Change) bool {
			return strings.HasPrefix(c.Path, "spec.claimRef") && c.Old == nil
		})
	})
}

// equalVolumes reports whether two volumes were created that are equal to a claim.
func (r run) equalVolumes() bool {
	seen := map[string]bool{}
	for _, record := range r {
		if record.Kind != trace.KindRequest || record.Request.Resource != "persistentvolumes" {
			continue
		}
		for _, write := range record.Request.Writes {
			var volume corev1.PersistentVolume
			if write.Op != trace.OpCreate || json.Unmarshal(write.New, &volume) != nil || volume.Spec.ClaimRef != nil {
				continue
			}
			capacity := volume.Spec.Capacity.Storage()
			kind := volume.Spec.StorageClassName + " " + capacity.String()
			if seen[kind] {
				return true
			}
			seen[kind] = true
		}
	}
	return false
}
