// Package binder simulates kube-scheduler: it binds each pod to a node that it fits on.
//
// It considers what controllers rely on: readiness and spec.unschedulable of nodes, nodeSelector and required node
// affinity (through upstream's component-helpers), taints and tolerations, and the maximum number of pods on a node. Of
// the remaining nodes, the one with the fewest pods is chosen; the seed decides ties. Resources, topology spread, pod
// affinity, priority and preemption are ignored.
//
// A pod with unbound claims waits, as in upstream's volume binding plugin: for the PersistentVolume controller if the
// class binds immediately, otherwise until the scheduler has picked a node and the claims are bound for it.
package binder

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// Actor is the scheduler's name in the trace.
const Actor = trace.SchedulerActor

var (
	pods     = corev1.SchemeGroupVersion.WithResource("pods")
	nodes    = schema.GroupResource{Resource: "nodes"}
	eventsv  = eventsv1.SchemeGroupVersion.WithResource("events")
	requests = struct{ bind, status string }{"binding", "status"}
)

// Scheduler binds the pods of a simulation.
type Scheduler struct {
	sim *sim.Simulation
	// count is the number of pods on each node; bound maps a pod to its node.
	count map[string]int
	bound map[string]string
	// waiting holds the pods, as namespace/name, that fit on no node.
	waiting map[string]bool
}

// Start starts the scheduler of a simulation.
func Start(s *sim.Simulation) {
	scheduler := &Scheduler{sim: s, count: map[string]int{}, bound: map[string]string{}, waiting: map[string]bool{}}
	s.OnChange(scheduler.changed)
}

func (s *Scheduler) changed(change network.Change) {
	switch object := change.Object.(type) {
	case *corev1.Pod:
		s.podChanged(change, object)
	case *corev1.Node:
		if !change.Background || change.Op != memdb.OpUpdate {
			s.retry(change.Seq, nil)
		}
	default:
		s.volumesChanged(change)
	}
}

func (s *Scheduler) podChanged(change network.Change, pod *corev1.Pod) {
	key := pod.Namespace + "/" + pod.Name
	switch {
	case change.Op == memdb.OpDelete:
		if node, ok := s.bound[key]; ok {
			s.count[node]--
			delete(s.bound, key)
		}
		delete(s.waiting, key)
		s.retry(change.Seq, nil)
	case pod.Spec.NodeName != "":
		if _, known := s.bound[key]; !known {
			s.bound[key] = pod.Spec.NodeName
			s.count[pod.Spec.NodeName]++
		}
	case change.Op == memdb.OpCreate && len(pod.Spec.SchedulingGates) == 0:
		s.schedule(key, pod.Namespace, pod.Name, change.Seq)
	}
}

// retry schedules waiting pods again, because a node has room, or what some of them wait for changed.
func (s *Scheduler) retry(cause int64, concerned func(*corev1.Pod) bool) {
	if len(s.waiting) == 0 {
		return
	}
	for _, obj := range s.sim.State.List(pods.GroupResource(), "") {
		pod := obj.(*corev1.Pod)
		if key := pod.Namespace + "/" + pod.Name; s.waiting[key] && (concerned == nil || concerned(pod)) {
			delete(s.waiting, key)
			s.schedule(key, pod.Namespace, pod.Name, cause)
		}
	}
}

func (s *Scheduler) schedule(key, namespace, name string, cause int64) {
	s.sim.Engine.As(engine.Component).After(s.sim.Reaction("scheduler|"+key), "scheduler|"+key, func() {
		obj, found := s.sim.State.Get(pods.GroupResource(), namespace, name)
		if !found {
			return
		}
		pod := obj.(*corev1.Pod)
		if pod.Spec.NodeName != "" || pod.DeletionTimestamp != nil {
			return
		}
		if s.bound[key] != "" {
			return
		}
		best, reason := s.pick(pod)
		if best.node != "" {
			s.reserve(pod, best, cause)
			return
		}
		s.waiting[key] = true
		message := fmt.Sprintf("0/%d nodes are available", len(s.sim.State.List(nodes, "")))
		if reason != "" {
			message += ": " + reason
		}
		s.refuse(pod, message+".", cause)
	})
}

// pick finds the fitting node with the fewest pods, or returns the known reasons why there is none.
func (s *Scheduler) pick(pod *corev1.Pod) (best reservation, reason string) {
	claims, reason := s.claimsOf(pod)
	if reason != "" {
		return best, reason
	}
	reasons := map[string]int{}
	bestCount, bestTie := 0, uint64(0)
	for _, obj := range s.sim.State.List(nodes, "") {
		node := obj.(*corev1.Node)
		if !s.fits(pod, node) {
			continue
		}
		on, reason := s.volumesOn(claims, node)
		if reason != "" {
			reasons[reason]++
			continue
		}
		count := s.count[node.Name]
		tie := engine.Hash(s.sim.Seed(), pod.Namespace+"/"+pod.Name+"@"+node.Name)
		if best.node == "" || count < bestCount || count == bestCount && tie < bestTie {
			best, bestCount, bestTie = on, count, tie
		}
	}
	return best, counted(reasons)
}

func (s *Scheduler) fits(pod *corev1.Pod, node *corev1.Node) bool {
	if node.Spec.Unschedulable || node.DeletionTimestamp != nil {
		return false
	}
	if limit, ok := node.Status.Allocatable[corev1.ResourcePods]; ok && int64(s.count[node.Name]) >= limit.Value() {
		return false
	}
	if ok, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node); err != nil || !ok {
		return false
	}
	return tolerates(pod, node)
}

func (s *Scheduler) bind(pod *corev1.Pod, node string, cause int64) {
	_, err := s.sim.Execute(apiserver.Request{
		Actor: Actor, Verb: "create", Resource: pods, Subresource: requests.bind, Namespace: pod.Namespace, Name: pod.Name,
		Object: &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
			Target:     corev1.ObjectReference{Kind: "Node", Name: node},
		},
	}, cause, false)
	if err == nil {
		s.event(pod, corev1.EventTypeNormal, "Scheduled", "Binding",
			fmt.Sprintf("Successfully assigned %s/%s to %s", pod.Namespace, pod.Name, node), cause)
	}
}

// refuse writes the condition that says why a pod is Pending.
func (s *Scheduler) refuse(pod *corev1.Pod, message string, cause int64) {
	pod = pod.DeepCopy()
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Status == corev1.ConditionFalse && condition.Message == message {
			return
		}
	}
	pod.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		Message: message, LastTransitionTime: metav1.Now(),
	}}
	_, _ = s.sim.Execute(apiserver.Request{
		Actor: Actor, Verb: "update", Resource: pods, Subresource: requests.status,
		Namespace: pod.Namespace, Name: pod.Name, Object: pod,
	}, cause, false)
	s.event(pod, corev1.EventTypeWarning, "FailedScheduling", "Scheduling", message, cause)
}

// event writes an Event in the style of events.k8s.io, as kube-scheduler does.
func (s *Scheduler) event(pod *corev1.Pod, kind, reason, action, note string, cause int64) {
	now := metav1.NowMicro()
	_, _ = s.sim.Execute(apiserver.Request{
		Actor: Actor, Verb: "create", Resource: eventsv, Namespace: pod.Namespace,
		Object: &eventsv1.Event{
			ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name + "." + strconv.FormatInt(now.UnixNano(), 16)},
			EventTime:  now, ReportingController: "default-scheduler", ReportingInstance: "default-scheduler-kubestep",
			Action: action, Reason: reason, Type: kind, Note: note,
			Regarding: corev1.ObjectReference{
				APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, ResourceVersion: pod.ResourceVersion,
			},
		},
	}, cause, true)
}
