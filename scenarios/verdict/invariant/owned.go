package invariant

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// owned holds the Pods of each owner that have not finished, by uid.
type owned map[types.UID]map[types.UID]*corev1.Pod

// follow takes a write of a Pod.
func (o owned) follow(c *change, pod *corev1.Pod) {
	owner := metav1.GetControllerOf(pod)
	if previous, ok := c.Previous.(*corev1.Pod); ok && previous != nil {
		if before := metav1.GetControllerOf(previous); before != nil && (owner == nil || owner.UID != before.UID) {
			o.forget(before.UID, pod.UID)
		}
	}
	if owner == nil {
		return
	}
	if c.Op == memdb.OpDelete || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		o.forget(owner.UID, pod.UID)
		return
	}
	if o[owner.UID] == nil {
		o[owner.UID] = map[types.UID]*corev1.Pod{}
	}
	o[owner.UID][pod.UID] = pod
}

func (o owned) forget(owner, pod types.UID) {
	delete(o[owner], pod)
	if len(o[owner]) == 0 {
		delete(o, owner)
	}
}

// active counts those that nobody has deleted.
func (o owned) active(owner types.UID) (n int) {
	for _, pod := range o[owner] {
		if pod.DeletionTimestamp == nil {
			n++
		}
	}
	return n
}
