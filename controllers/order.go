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

// OpenOrder returns the controllers, sorted, whose requests in these records do not depend only on the seed if the run was
// one of the stock build.
func OpenOrder(records []*trace.Record) []string {
	var open []string
	for name, of := range properties {
		if of.open != nil && of.open(records) {
			open = append(open, name)
		}
	}
	for _, names := range []func(run) []string{run.resyncs, run.combinesAgain, run.lostLeases} {
		open = append(open, names(records)...)
	}
	slices.Sort(open)
	return slices.Compact(open)
}

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

// resyncs names the controllers that found several keys in a resync: informers replay their caches in the order of
// a map (ListKeys of threadSafeMap in client-go's tools/cache/thread_safe_store.go). What a resync enqueues has no
// cause, as nobody wrote anything.
func (r run) resyncs() []string {
	var found []string
	last := map[string]time.Duration{}
	for _, record := range r {
		if record.Kind != trace.KindEnqueue || record.Cause != 0 || record.At < resyncPeriodMin || record.Enqueue.Event != "" {
			continue
		}
		if at, again := last[record.Actor]; again && at == record.At {
			found = append(found, controllerOf(record))
		}
		last[record.Actor] = record.At
	}
	return found
}

// combined is the prefix of the message of an Event that client-go aggregates (EventAggregatorByReasonMessageFunc in
// client-go's tools/record/events_cache.go).
const combined = "(combined from similar events): "

// combinesAgain names the controllers that, after ten different Events of one reason about one object, repeat a message a second
// time. From the tenth on client-go forgets any one of the messages for each new one (PopAny in EventAggregate), so that
// it is undefined whether a repeated message is one of ten.
func (r run) combinesAgain() []string {
	type similar struct {
		actor, kind, reason string
		regarding           trace.Object
	}
	type repeats struct {
		messages map[string]bool
		many     bool
	}
	var found []string
	all := map[similar]*repeats{}
	for _, record := range r {
		if record.Event == nil {
			continue
		}
		key := similar{record.Actor, record.Event.Type, record.Event.Reason, record.Event.Regarding}
		if all[key] == nil {
			all[key] = &repeats{messages: map[string]bool{}}
		}
		before, message := all[key], strings.TrimPrefix(record.Event.Message, combined)
		if before.many && before.messages[message] {
			found = append(found, controllerOf(record))
		}
		before.messages[message] = true
		before.many = before.many || message != record.Event.Message
	}
	return found
}

// timerSlack is more than a request takes, and less than the time between two renewals.
const timerSlack = 100 * time.Millisecond

// lostLeases names the managers that lost their lease when a renewal was due as well: two timers for one instant, of
// which Go picks one (renew in client-go's tools/leaderelection/leaderelection.go). With upstream's defaults it is so: five
// times retryPeriod is renewDeadline.
func (r run) lostLeases() []string {
	var found []string
	last, period := map[string]time.Duration{}, map[string]time.Duration{}
	for _, record := range r {
		switch {
		case record.Request != nil && record.Request.Verb == "update" && record.Request.Resource == "leases.coordination.k8s.io":
			if gap := record.Request.Sent - last[record.Actor]; gap > timerSlack {
				last[record.Actor], period[record.Actor] = record.Request.Sent, gap
			}
		case record.Log != nil && record.Log.Message == "leaderelection lost":
			since := record.At - last[record.Actor]
			if since < timerSlack || (since-period[record.Actor]).Abs() < timerSlack {
				found = append(found, record.Actor)
			}
		}
	}
	return found
}

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
