package invariant

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/cluster/node"
)

// The store cannot hold two Pods of one name. But a Pod that was deleted by force is gone from the store while its
// containers continue, if their node cannot be reached.
var statefulSetOrdinal = Invariant{
	Name:     "statefulset-ordinal",
	Sentence: "At most one Pod of each ordinal of a StatefulSet runs, including those on disconnected nodes.",
	Forgives: "None: whoever force deletes a Pod guarantees that its node is down.",
	Upstream: "https://kubernetes.io/docs/tasks/run-application/force-delete-stateful-set-pod/",
	watch:    func(r *Run) watcher { return &ordinals{run: r, left: map[string]*corev1.Pod{}} },
}

type ordinals struct {
	passive
	run *Run
	// left are the Pods that are gone from the store, and may run on.
	left   map[string]*corev1.Pod
	looked bool
}

func (o *ordinals) hasLooked() bool { return o.looked }

func (o *ordinals) change(c *change) {
	pod, ok := c.Object.(*corev1.Pod)
	if !ok {
		return
	}
	owner := metav1.GetControllerOf(pod)
	if owner == nil || owner.Kind != "StatefulSet" {
		return
	}
	o.looked = true
	key := pod.Namespace + "/" + pod.Name
	if c.Op == memdb.OpDelete {
		if pod.Status.Phase == corev1.PodRunning && c.By.Actor != node.Actor && o.run.IsCutOff(pod.Spec.NodeName) {
			o.left[key] = pod
		}
		return
	}
	before := o.left[key]
	if before == nil || pod.Status.Phase != corev1.PodRunning {
		return
	}
	if o.run.IsCutOff(before.Spec.NodeName) {
		o.run.broken(c.Seq, fmt.Sprintf(
			"two Pods %s run at the same time: one on %s, and the force deleted one on %s, which is disconnected and keeps running",
			key, pod.Spec.NodeName, before.Spec.NodeName))
	}
	delete(o.left, key)
}
