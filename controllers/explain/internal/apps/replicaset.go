// Package apps computes the syncs of the controllers that create Pods themselves and keep them running: of ReplicaSets and
// ReplicationControllers, StatefulSets, and DaemonSets. How many Pods are missing, which ones are deleted first, which
// Pod a StatefulSet waits for.
package apps

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/replicaset"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// The resources as the recording names them.
const (
	replicaSets  = "replicasets.apps"
	statefulSets = "statefulsets.apps"
	daemonSets   = "daemonsets.apps"
	pods         = "pods"
)

const replicaSetFile = "pkg/controller/replicaset/replica_set.go"

// ReplicaSet explains a sync of a ReplicaSet, as syncReplicaSet decides.
func ReplicaSet(s observed.Sync) *arithmetic.Explanation {
	set := &appsv1.ReplicaSet{}
	e, ok := s.Begin(replicaSets, "ReplicaSet", set)
	if !ok {
		return e
	}
	selector, err := metav1.LabelSelectorAsSelector(set.Spec.Selector)
	if err != nil {
		return nil
	}
	return replicas(s, e, &set.ObjectMeta, *set.Spec.Replicas, selector, func() []*corev1.Pod { return relatedPods(s, set) })
}

// ReplicationController explains a sync of a ReplicationController, which the same code decides.
func ReplicationController(s observed.Sync) *arithmetic.Explanation {
	rc := &corev1.ReplicationController{}
	e, ok := s.Begin("replicationcontrollers", "ReplicationController", rc)
	if !ok {
		return e
	}
	none := func() []*corev1.Pod { return nil }
	return replicas(s, e, &rc.ObjectMeta, *rc.Spec.Replicas, labels.SelectorFromSet(rc.Spec.Selector), none)
}

// replicas explains how many Pods are created or deleted.
func replicas(
	s observed.Sync, e *arithmetic.Explanation, owner *metav1.ObjectMeta, wanted int32, selector labels.Selector,
	related func() []*corev1.Pod,
) *arithmetic.Explanation {
	active, adopted, released := claimPods(s.Pods(), owner, selector)
	step := e.Step("active Pods", replicaSetFile, "syncReplicaSet")
	step.Line("Pods", "neither finished nor terminating", len(active))
	e.Act("patch", pods, len(adopted)+len(released), append(adopted, released...)...)
	if len(adopted) > 0 {
		step.Line("adopted", "they match the selector and have no controller", len(adopted))
	}
	if len(released) > 0 {
		step.Line("released", "they do not match the selector any more", len(released))
	}
	if owner.DeletionTimestamp != nil {
		e.Verdict = "nothing: it is being deleted"
		return s.Finish(e)
	}
	if creations, deletions := s.Awaited(pods); creations+deletions > 0 {
		step = e.Step("expectations", "pkg/controller/controller_utils.go", "SatisfiedExpectations")
		step.Line("not in the cache yet", "", fmt.Sprintf("%d created, %d deleted", creations, deletions))
		e.Verdict = fmt.Sprintf("nothing: its cache has not received %s that it created and %d that it deleted",
			trace.Count(creations, "Pod"), deletions)
		e.Why = e.Verdict
		return s.Finish(e)
	}
	manageReplicas(s, e, active, int(wanted), related)
	return s.Finish(e)
}

// manageReplicas explains the difference.
func manageReplicas(s observed.Sync, e *arithmetic.Explanation, active []*corev1.Pod, wanted int, related func() []*corev1.Pod) {
	step := e.Step("difference", replicaSetFile, "manageReplicas")
	diff := wanted - len(active)
	step.Line("replicas", fmt.Sprintf("spec.replicas %d - %d active Pods", wanted, len(active)), diff)
	e.Why = fmt.Sprintf("%d wanted - %d there = %d", wanted, len(active), diff)
	switch {
	case diff == 0:
		e.Verdict = fmt.Sprintf("nothing: %d of %d Pods are there", len(active), wanted)
	case diff > 0:
		count := min(diff, replicaset.BurstReplicas)
		step.Line("creates", fmt.Sprintf("min(%d, burst %d)", diff, replicaset.BurstReplicas), count)
		step.Line("in batches", sumText(batches(count)), count)
		e.Act("create", pods, count)
		e.Verdict = fmt.Sprintf("it creates %s: %d wanted, %d there", trace.Count(count, "Pod"), wanted, len(active))
	default:
		count := min(-diff, replicaset.BurstReplicas)
		step.Line("deletes", fmt.Sprintf("min(%d, burst %d)", -diff, replicaset.BurstReplicas), count)
		chosen, sure := victims(active, related(), count, metav1.NewTime(s.Time(s.SentAt("delete"))))
		step = e.Step("which Pods", "pkg/controller/controller_utils.go", "ActivePodsWithRanks")
		const order = "not assigned, Pending, not ready, lower deletion cost, more on one node, younger"
		if sure {
			e.Act("delete", pods, count, observed.Names(chosen)...)
			step.Line("first", order, arithmetic.Few(observed.Names(chosen)))
		} else {
			e.Act("delete", pods, count)
			step.Line("first", order, "several are alike")
		}
		e.Verdict = fmt.Sprintf("it deletes %s: %d there, %d wanted", trace.Count(count, "Pod"), len(active), wanted)
	}
}

// victims are the Pods that go first, and whether their order leaves no choice.
func victims(active, related []*corev1.Pod, count int, now metav1.Time) (chosen []*corev1.Pod, sure bool) {
	active = slices.Clone(active)
	if count >= len(active) {
		return active, true
	}
	onNode := map[string]int{}
	for _, p := range related {
		if controller.IsPodActive(p) {
			onNode[p.Spec.NodeName]++
		}
	}
	ranks := make([]int, len(active))
	for i, p := range active {
		ranks[i] = onNode[p.Spec.NodeName]
	}
	ranked := controller.ActivePodsWithRanks{Pods: active, Rank: ranks, Now: now}
	sort.Sort(ranked)
	// Less is not transitive: it compares uids only if the times differ. Then the order depends on that of the cache.
	for goes := range count {
		for stays := count; stays < len(active); stays++ {
			if !ranked.Less(goes, stays) {
				return active[:count], false
			}
		}
	}
	return active[:count], true
}

// relatedPods are the Pods of all ReplicaSets with the same controller; none if there is no controller.
func relatedPods(s observed.Sync, set *appsv1.ReplicaSet) []*corev1.Pod {
	owner := metav1.GetControllerOf(set)
	if owner == nil {
		return nil
	}
	var related []*corev1.Pod
	seen := map[string]bool{}
	for _, object := range s.List(replicaSets) {
		other := &appsv1.ReplicaSet{}
		if observed.Convert(object, other) != nil {
			continue
		}
		theirs := metav1.GetControllerOf(other)
		same := theirs != nil && theirs.UID == owner.UID
		selector, err := metav1.LabelSelectorAsSelector(other.Spec.Selector)
		if !same || err != nil {
			continue
		}
		for _, p := range matching(s.Pods(), selector) {
			if !seen[p.Name] {
				seen[p.Name] = true
				related = append(related, p)
			}
		}
	}
	return related
}

func matching(all []*corev1.Pod, selector labels.Selector) []*corev1.Pod {
	return slices.DeleteFunc(slices.Clone(all), func(p *corev1.Pod) bool { return !selector.Matches(labels.Set(p.Labels)) })
}

// claimPods returns the active Pods of an owner, with those that it adopts and releases (ControllerRefManager).
func claimPods(all []*corev1.Pod, owner *metav1.ObjectMeta, selector labels.Selector) (claimed []*corev1.Pod, adopted, released []string) {
	for _, p := range controller.FilterActivePods(klog.Background(), all) {
		by, match := metav1.GetControllerOf(p), selector.Matches(labels.Set(p.Labels))
		switch {
		case by != nil && by.UID != owner.UID, by == nil && (!match || owner.DeletionTimestamp != nil):
		case by == nil:
			adopted = append(adopted, p.Name)
			claimed = append(claimed, p)
		case match:
			claimed = append(claimed, p)
		case owner.DeletionTimestamp == nil:
			released = append(released, p.Name)
		}
	}
	return claimed, adopted, released
}

// batches are the sizes of the batches of a slow start: they double as long as all requests of a batch succeed.
func batches(count int) []int {
	var sizes []int
	for size := min(count, controller.SlowStartInitialBatchSize); size > 0; size = min(2*size, count) {
		sizes = append(sizes, size)
		count -= size
	}
	return sizes
}

// sumText is like "1 + 2 + 2".
func sumText(numbers []int) string {
	var texts []string
	for _, n := range numbers {
		texts = append(texts, fmt.Sprint(n))
	}
	return strings.Join(texts, " + ")
}
