package liveness

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/scenarios/verdict/internal/ordinal"
)

// onDelete says who updates a Pod with the update strategy OnDelete.
const onDelete = "; with the update strategy OnDelete, a Pod is updated after it is deleted"

// revisions compares the Pods of a set with its update revision.
func revisions(set *appsv1.StatefulSet, pods []*corev1.Pod) *Lack {
	byUsers, partition := isUpdatedByUsers(set), ordinal.Partition(set)
	if byUsers && !onDeleteCompletes {
		return nil
	}
	switch old := oldPod(set, pods, partition); {
	case old != "" && !byUsers:
		return &Lack{Missing: old}
	case old == "" && partition == 0 && set.Status.CurrentRevision != set.Status.UpdateRevision:
		return &Lack{Missing: fmt.Sprintf("status.currentRevision is %s, but all Pods have the update revision %s",
			set.Status.CurrentRevision, set.Status.UpdateRevision)}
	}
	return nil
}

// oldRevisions says why a set may keep an old revision; empty if it has none.
func oldRevisions(set *appsv1.StatefulSet, pods []*corev1.Pod) string {
	old := oldPod(set, pods, 0)
	switch byUsers := isUpdatedByUsers(set); {
	case old != "" && !byUsers && ordinal.Partition(set) > 0:
		return fmt.Sprintf("%s; the partition %d keeps the Pods below it", old, ordinal.Partition(set))
	case old != "" && byUsers:
		return old + onDelete
	case byUsers && !onDeleteCompletes && set.Status.CurrentRevision != set.Status.UpdateRevision:
		return fmt.Sprintf("status.currentRevision is %s, although all Pods have the update revision %s; "+
			"with the update strategy OnDelete, nothing sets it (completeRollingUpdate)",
			set.Status.CurrentRevision, set.Status.UpdateRevision)
	}
	return ""
}

// isUpdatedByUsers reports whether Pods keep their revision until somebody deletes them.
func isUpdatedByUsers(set *appsv1.StatefulSet) bool {
	return set.Spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType
}

// oldPod names a Pod, from an ordinal on, that does not have the update revision; empty if all have it.
func oldPod(set *appsv1.StatefulSet, pods []*corev1.Pod, from int) string {
	late := slices.IndexFunc(pods, func(p *corev1.Pod) bool {
		number, found := ordinal.Of(p.Name, set.Name)
		return found && number >= from && p.Labels[appsv1.ControllerRevisionHashLabelKey] != set.Status.UpdateRevision
	})
	if late < 0 {
		return ""
	}
	return fmt.Sprintf("Pod %s has the revision %s, but the update revision is %s", pods[late].Name,
		pods[late].Labels[appsv1.ControllerRevisionHashLabelKey], set.Status.UpdateRevision)
}
