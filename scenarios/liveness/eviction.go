package liveness

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/v1/pod"
	v1helper "k8s.io/kubernetes/pkg/apis/core/v1/helper"
)

var evictions = Goal{
	Resource: corev1.Resource("pods"), Controller: "taint-eviction-controller",
	Sentence: "A Pod on a node with a taint NoExecute is deleted, unless it tolerates the taint; if it tolerates it for some time " +
		"only, after that time.",
	Upstream: "processPodOnNode in k8s.io/kubernetes/pkg/controller/tainteviction/taint_eviction.go",
	lack: func(v *view, object runtime.Object) *Lack {
		p := object.(*corev1.Pod)
		if p.Spec.NodeName == "" || p.DeletionTimestamp != nil || pod.IsPodTerminal(p) {
			return nil
		}
		found, ok := v.Get(corev1.Resource("nodes"), "", p.Spec.NodeName)
		if !ok {
			return nil
		}
		var taints []corev1.Taint
		var since time.Time
		for _, taint := range found.(*corev1.Node).Spec.Taints {
			if taint.Effect != corev1.TaintEffectNoExecute {
				continue
			}
			taints = append(taints, taint)
			if taint.TimeAdded != nil && taint.TimeAdded.After(since) {
				since = taint.TimeAdded.Time
			}
		}
		if len(taints) == 0 {
			return nil
		}
		tolerated, tolerations := v1helper.GetMatchingTolerations(klog.Background(), taints, p.Spec.Tolerations)
		if !tolerated {
			return &Lack{Missing: fmt.Sprintf("it does not tolerate the taint %s of node %s, but is not deleted",
				taints[0].Key, p.Spec.NodeName)}
		}
		if dated, ok := v.World.(Dated); ok && since.IsZero() {
			since = dated.Tainted(p.Spec.NodeName)
		}
		if since.IsZero() {
			return nil
		}
		if seconds, limited := shortest(tolerations); limited && v.Date().Sub(since) > time.Duration(seconds)*time.Second+rest {
			return &Lack{Missing: fmt.Sprintf("it tolerates the taint %s of node %s for %d s, but is not deleted",
				taints[0].Key, p.Spec.NodeName, seconds)}
		}
		return nil
	},
}

// rest is the time that a controller has to act before an object counts as forgotten.
const rest = time.Minute

// shortest is the least tolerationSeconds, if a toleration has any.
func shortest(tolerations []corev1.Toleration) (seconds int64, limited bool) {
	for _, t := range tolerations {
		if t.TolerationSeconds != nil && (!limited || *t.TolerationSeconds < seconds) {
			seconds, limited = max(0, *t.TolerationSeconds), true
		}
	}
	return seconds, limited
}
