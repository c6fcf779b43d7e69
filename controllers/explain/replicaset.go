package explain

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

	"github.com/kubestep/kubestep/sim/trace"
)

const replicaSetFile = "pkg/controller/replicaset/replica_set.go"

// replicaSet explains a sync of a ReplicaSet, as syncReplicaSet decides.
func (s sync) replicaSet() *Explanation {
	set := &appsv1.ReplicaSet{}
	e, ok := s.begin(replicaSets, "ReplicaSet", set)
	if !ok {
		return e
	}
	selector, err := metav1.LabelSelectorAsSelector(set.Spec.Selector)
	if err != nil {
		return nil
	}
	return s.replicas(e, &set.ObjectMeta, *set.Spec.Replicas, selector, func() []*corev1.Pod { return s.relatedPods(set) })
}

// replicationController explains a sync of a ReplicationController, which the same code decides.
func (s sync) replicationController() *Explanation {
	rc := &corev1.ReplicationController{}
	e, ok := s.begin("replicationcontrollers", "ReplicationController", rc)
	if !ok {
		return e
	}
	return s.replicas(e, &rc.ObjectMeta, *rc.Spec.Replicas, labels.SelectorFromSet(rc.Spec.Selector), func() []*corev1.Pod { return nil })
}

// replicas explains how many Pods are created or deleted.
func (s sync) replicas(
	e *Explanation, owner *metav1.ObjectMeta, wanted int32, selector labels.Selector, related func() []*corev1.Pod,
) *Explanation {
	active, adopted, released := claimPods(s.pods(), owner, selector)
	step := e.step("active Pods", replicaSetFile, "syncReplicaSet")
	step.line("Pods", "neither finished nor terminating", len(active))
	e.act("patch", pods, len(adopted)+len(released), append(adopted, released...)...)
	if len(adopted) > 0 {
		step.line("adopted", "they match the selector and have no controller", len(adopted))
	}
	if len(released) > 0 {
		step.line("released", "they do not match the selector any more", len(released))
	}
	if owner.DeletionTimestamp != nil {
		e.Verdict = "nothing: it is being deleted"
		return s.finish(e)
	}
	if creations, deletions := s.awaited(pods); creations+deletions > 0 {
		step = e.step("expectations", "pkg/controller/controller_utils.go", "SatisfiedExpectations")
		step.line("not in the cache yet", "", fmt.Sprintf("%d created, %d deleted", creations, deletions))
		e.Verdict = fmt.Sprintf("nothing: its cache has not received %s that it created and %d that it deleted",
			trace.Count(creations, "Pod"), deletions)
		e.Why = e.Verdict
		return s.finish(e)
	}
	s.manageReplicas(e, active, int(wanted), related)
	return s.finish(e)
}

// manageReplicas explains the difference.
func (s sync) manageReplicas(e *Explanation, active []*corev1.Pod, wanted int, related func() []*corev1.Pod) {
	step := e.step("difference", replicaSetFile, "manageReplicas")
	diff := wanted - len(active)
	step.line("replicas", fmt.Sprintf("spec.replicas %d - %d active Pods", wanted, len(active)), diff)
	e.Why = fmt.Sprintf("%d wanted - %d there = %d", wanted, len(active), diff)
	switch {
	case diff == 0:
		e.Verdict = fmt.Sprintf("nothing: %d of %d Pods are there", len(active), wanted)
	case diff > 0:
		count := min(diff, replicaset.BurstReplicas)
		step.line("creates", fmt.Sprintf("min(%d, burst %d)", diff, replicaset.BurstReplicas), count)
		step.line("in batches", sumText(batches(count)), count)
		e.act("create", pods, count)
		e.Verdict = fmt.Sprintf("it creates %s: %d wanted, %d there", trace.Count(count, "Pod"), wanted, len(active))
	default:
		count := min(-diff, replicaset.BurstReplicas)
		step.line("deletes", fmt.Sprintf("min(%d, burst %d)", -diff, replicaset.BurstReplicas), count)
		chosen, sure := victims(active, related(), count, metav1.NewTime(s.time(s.sentAt("delete"))))
		step = e.step("which Pods", "pkg/controller/controller_utils.go", "ActivePodsWithRanks")
		const order = "not assigned, Pending, not ready, lower deletion cost, more on one node, younger"
		if sure {
			e.act("delete", pods, count, namesOf(chosen)...)
			step.line("first", order, strings.Join(namesOf(chosen), ", "))
		} else {
			e.act("delete", pods, count)
			step.line("first", order, "several are alike")
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
func (s sync) relatedPods(set *appsv1.ReplicaSet) []*corev1.Pod {
	owner := metav1.GetControllerOf(set)
	if owner == nil {
		return nil
	}
	var related []*corev1.Pod
	seen := map[string]bool{}
	for _, object := range s.list(replicaSets) {
		other := &appsv1.ReplicaSet{}
		if convert(object, other) != nil {
			continue
		}
		theirs := metav1.GetControllerOf(other)
		same := theirs != nil && theirs.UID == owner.UID
		selector, err := metav1.LabelSelectorAsSelector(other.Spec.Selector)
		if !same || err != nil {
			continue
		}
		for _, p := range matching(s.pods(), selector) {
			if !seen[p.Name] {
				seen[p.Name] = true
				related = append(related, p)
			}
		}
	}
	return related
}

// pods are the Pods of the namespace in the cache.
func (s sync) pods() []*corev1.Pod {
	var all []*corev1.Pod
	for _, object := range s.list(pods) {
		p := &corev1.Pod{}
		if convert(object, p) == nil {
			all = append(all, p)
		}
	}
	return all
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

func namesOf(all []*corev1.Pod) []string {
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}
