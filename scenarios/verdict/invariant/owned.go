package invariant

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// owned holds the Pods of each owner that have not finished.
type owned map[types.UID]*ownedPods

// ownedPods are the Pods of one owner, by uid. It counts those that nobody has deleted, so that a Pod that is created does not cost a look
// at all others.
type ownedPods struct {
	pods   map[types.UID]*corev1.Pod
	active int
}

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
		o[owner.UID] = &ownedPods{pods: map[types.UID]*corev1.Pod{}}
	}
	o[owner.UID].put(pod.UID, pod)
}

func (o owned) forget(owner, pod types.UID) {
	if of := o[owner]; of != nil {
		of.put(pod, nil)
		if len(of.pods) == 0 {
			delete(o, owner)
		}
	}
}

// put replaces a Pod, or removes it if pod is nil.
func (p *ownedPods) put(uid types.UID, pod *corev1.Pod) {
	if isActive(p.pods[uid]) {
		p.active--
	}
	if isActive(pod) {
		p.active++
	}
	if pod == nil {
		delete(p.pods, uid)
		return
	}
	p.pods[uid] = pod
}

// isActive says that a Pod exists and that nobody has deleted it.
func isActive(pod *corev1.Pod) bool { return pod != nil && pod.DeletionTimestamp == nil }

// all are the Pods of an owner, by uid.
func (o owned) all(owner types.UID) map[types.UID]*corev1.Pod {
	if of := o[owner]; of != nil {
		return of.pods
	}
	return nil
}

// active counts those that nobody has deleted.
func (o owned) active(owner types.UID) int {
	if of := o[owner]; of != nil {
		return of.active
	}
	return 0
}
