package informer

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// SetTransform implements cache.SharedInformer. A factory calls it after it has made an informer. With Options.Shares, the Pods of the
// cache share what they have in common.
//
// Controllers go through all Pods of a workload, and most of that time goes into fetching from memory what each Pod has of its own: the
// map of its labels, its references to owners, the names of its conditions. A ReplicaSet of 2,000 Pods is synced some thousand times
// while its Pods become ready, and kube-scheduler compares the labels of all Pods for each Pod that it scores. Pods of one template have
// the same labels and the same owner. No decision depends on where they are in memory.
func (s *sharedInformer) SetTransform(transform cache.TransformFunc) error {
	if !s.factory.options.Shares {
		return s.SharedIndexInformer.SetTransform(transform)
	}
	shared := newSharing()
	return s.SharedIndexInformer.SetTransform(func(obj any) (any, error) {
		if transform != nil {
			var err error
			if obj, err = transform(obj); err != nil {
				return obj, err
			}
		}
		if pod, ok := obj.(*corev1.Pod); ok {
			shared.use(pod)
		}
		return obj, nil
	})
}

// sharing is what Pods of a cache have in common. The informer calls its transform for one object after the other.
type sharing struct {
	labels map[string]sharedLabels
	owners map[types.UID][]metav1.OwnerReference
}

type sharedLabels struct {
	namespace string
	labels    map[string]string
}

func newSharing() *sharing {
	return &sharing{labels: map[string]sharedLabels{}, owners: map[types.UID][]metav1.OwnerReference{}}
}

// sharedMax is how many labels and how many owners are remembered. Each Pod of a StatefulSet has labels of its own, and so have the Pods
// of each Job of a CronJob, so those of Pods that are gone would otherwise be kept until the end.
const sharedMax = 1024

// use gives a Pod the labels and the owners of an earlier one, if they are equal.
func (s *sharing) use(pod *corev1.Pod) {
	key := pod.Namespace + "?" + labels.Set(pod.Labels).String()
	ones, known := s.labels[key]
	if !known {
		if len(s.labels) == sharedMax {
			clear(s.labels)
		}
		ones = sharedLabels{pod.Namespace, pod.Labels}
		s.labels[key] = ones
	}
	pod.Namespace, pod.Labels = ones.namespace, ones.labels
	s.useOwners(pod)
	for i := range pod.Status.Conditions {
		condition := &pod.Status.Conditions[i]
		condition.Type, condition.Status = constant(condition.Type, conditionTypes), constant(condition.Status, conditionStatuses)
	}
}

func (s *sharing) useOwners(pod *corev1.Pod) {
	if len(pod.OwnerReferences) != 1 {
		return
	}
	uid := pod.OwnerReferences[0].UID
	ones, known := s.owners[uid]
	switch {
	case known && isSameOwner(&ones[0], &pod.OwnerReferences[0]):
		pod.OwnerReferences = ones
		return
	case !known && len(s.owners) == sharedMax:
		clear(s.owners)
	}
	s.owners[uid] = slices.Clip(pod.OwnerReferences)
}

// isSameOwner reports whether two references are equal in all fields.
func isSameOwner(a, b *metav1.OwnerReference) bool {
	return a.APIVersion == b.APIVersion && a.Kind == b.Kind && a.Name == b.Name && a.UID == b.UID &&
		isSameFlag(a.Controller, b.Controller) && isSameFlag(a.BlockOwnerDeletion, b.BlockOwnerDeletion)
}

func isSameFlag(a, b *bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// The conditions that most Pods have, and their statuses.
var (
	conditionTypes = []corev1.PodConditionType{
		corev1.PodReady, corev1.ContainersReady, corev1.PodInitialized, corev1.PodScheduled, corev1.PodReadyToStartContainers,
	}
	conditionStatuses = []corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionFalse}
)

// constant is the one of some constants that is equal to a value, or else the value.
func constant[T ~string](value T, constants []T) T {
	if i := slices.Index(constants, value); i >= 0 {
		return constants[i]
	}
	return value
}
