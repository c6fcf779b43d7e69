package decision

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/verdict/internal/ordinal"
)

// setVersion is what a version of a StatefulSet says about the order of its Pods.
type setVersion struct {
	isOrdered, rolls bool
	// The StatefulSet wants the ordinals from start up to, but without, end.
	start, end int
	partition  int
}

func setVersionOf(set *appsv1.StatefulSet) setVersion {
	start, end := ordinal.Range(set)
	return setVersion{
		isOrdered: set.Spec.PodManagementPolicy != appsv1.ParallelPodManagement,
		rolls:     set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType,
		start:     start, end: end, partition: ordinal.Partition(set),
	}
}

// setOf is the StatefulSet of a Pod, or nil.
func setOf(object metav1.Object) *metav1.OwnerReference {
	if owner := metav1.GetControllerOfNoCopy(object); owner != nil && owner.Kind == "StatefulSet" {
		return owner
	}
	return nil
}
