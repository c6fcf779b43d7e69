package liveness

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
	nodeutil "k8s.io/kubernetes/pkg/controller/util/node"
	taintutils "k8s.io/kubernetes/pkg/util/taints"
)

var nodeTaints = Goal{
	Resource: corev1.Resource("nodes"), Controller: "node-lifecycle-controller",
	Sentence: "A node that is not Ready has the taint node.kubernetes.io/not-ready or node.kubernetes.io/unreachable with the effect " +
		"NoExecute, unless so many nodes of its zone are not Ready that nothing is evicted. A node that is Ready has neither taint.",
	Upstream: "processTaintBaseEviction and ComputeZoneState in " +
		"k8s.io/kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go",
	lack: func(v *view, object runtime.Object) *Lack {
		node := object.(*corev1.Node)
		_, ready := nodeutil.GetNodeCondition(&node.Status, corev1.NodeReady)
		if ready == nil || node.DeletionTimestamp != nil {
			return nil
		}
		if ready.Status == corev1.ConditionTrue {
			return superfluousTaint(v, node, ready)
		}
		wanted := nodelifecycle.NotReadyTaintTemplate
		if ready.Status == corev1.ConditionUnknown {
			wanted = nodelifecycle.UnreachableTaintTemplate
		}
		if taintutils.TaintExists(node.Spec.Taints, wanted) {
			return nil
		}
		lack := &Lack{Missing: fmt.Sprintf("it is not Ready, but does not have the taint %s with the effect NoExecute", wanted.Key)}
		z := v.zoneOf(node)
		due := ready.LastTransitionTime.Add(time.Duration(z.NotReady)*z.Interval() + rest)
		if lack.For = z.Stops(); lack.For == "" && !v.Date().After(due) {
			lack.For = fmt.Sprintf("its turn: %s gets one taint in %s, and %d of %d nodes are not Ready", z.Name, z.Interval(),
				z.NotReady, z.Ready+z.NotReady)
		}
		return lack
	},
}

// superfluousTaint says that a node that is Ready again keeps a taint.
func superfluousTaint(v *view, node *corev1.Node, ready *corev1.NodeCondition) *Lack {
	for _, taint := range []*corev1.Taint{nodelifecycle.NotReadyTaintTemplate, nodelifecycle.UnreachableTaintTemplate} {
		if taintutils.TaintExists(node.Spec.Taints, taint) && v.Date().Sub(ready.LastTransitionTime.Time) > rest {
			return &Lack{Missing: fmt.Sprintf("it is Ready, but has the taint %s with the effect NoExecute", taint.Key)}
		}
	}
	return nil
}
