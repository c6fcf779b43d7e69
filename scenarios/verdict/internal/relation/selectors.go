package relation

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/scenarios/verdict/internal/ordinal"
)

var (
	replicaSets  = appsv1.Resource("replicasets")
	deployments  = appsv1.Resource("deployments")
	statefulSets = appsv1.Resource("statefulsets")
	daemonSets   = appsv1.Resource("daemonsets")
	// selecting are the owners that adopt objects which their selector matches, and release those which it does not match.
	selecting = []Kept{
		{replicaSets, names.ReplicaSetController}, {corev1.Resource("replicationcontrollers"), names.ReplicationControllerController},
		{statefulSets, names.StatefulSetController}, {daemonSets, names.DaemonSetController}, {deployments, names.DeploymentController},
	}
)

var ofSelectors = []Relation{
	{
		Name: "controlled-objects-match-selector", Of: selecting,
		Sentence: "A workload controls only objects that its selector matches: a Deployment ReplicaSets, the others Pods that have not " +
			"finished.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/#isolating-pods-from-a-replicaset",
		broken:    controlsStrangers,
	},
	{
		Name: "matching-objects-adopted", Of: selecting,
		Sentence: "An object without a controller that the selector of a workload matches is adopted: a ReplicaSet by a Deployment, a " +
			"Pod that has not finished by the others. A StatefulSet adopts only Pods that have its name and an ordinal.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/#non-template-pod-acquisitions",
		broken:    leavesOrphans,
	},
}

// owner is a workload with a selector.
type owner struct {
	metav1.Object
	selector labels.Selector
	// of is the resource of the objects that it controls, and takes reports whether it may adopt one of a name.
	of    schema.GroupResource
	takes func(name string) bool
}

// ownerOf is the workload that an object is; false if it is being deleted, or has no valid selector.
func ownerOf(object runtime.Object) (owner, bool) {
	o := owner{Object: metaOf(object), of: pods, takes: func(string) bool { return true }}
	var selector *metav1.LabelSelector
	switch workload := object.(type) {
	case *appsv1.ReplicaSet:
		selector = workload.Spec.Selector
	case *appsv1.Deployment:
		selector, o.of = workload.Spec.Selector, replicaSets
	case *appsv1.DaemonSet:
		selector = workload.Spec.Selector
	case *appsv1.StatefulSet:
		selector = workload.Spec.Selector
		o.takes = func(name string) bool {
			_, isMember := ordinal.Of(name, workload.Name)
			return isMember
		}
	case *corev1.ReplicationController:
		selector = metav1.SetAsLabelSelector(workload.Spec.Selector)
	}
	var err error
	o.selector, err = metav1.LabelSelectorAsSelector(selector)
	return o, err == nil && !o.selector.Empty() && o.GetDeletionTimestamp() == nil
}

func controlsStrangers(v *View, object runtime.Object) *Breach {
	o, ok := ownerOf(object)
	if !ok {
		return nil
	}
	for _, child := range v.controlledBy(o.of, o.GetNamespace(), string(o.GetUID())) {
		if c := metaOf(child); lives(child) && o.takes(c.GetName()) && !o.selector.Matches(labels.Set(c.GetLabels())) {
			return broken("it controls %s %s, which its selector does not match", kindOf(child), c.GetName())
		}
	}
	return nil
}

func leavesOrphans(v *View, object runtime.Object) *Breach {
	o, ok := ownerOf(object)
	if !ok {
		return nil
	}
	for _, child := range v.controlledBy(o.of, o.GetNamespace(), "") {
		if c := metaOf(child); lives(child) && o.takes(c.GetName()) && o.selector.Matches(labels.Set(c.GetLabels())) {
			return broken("its selector matches %s %s, which has no controller, but it does not adopt it", kindOf(child),
				c.GetName())
		}
	}
	return nil
}

// lives reports whether an object is neither being deleted nor a Pod that has finished.
func lives(object runtime.Object) bool {
	p, isPod := object.(*corev1.Pod)
	return metaOf(object).GetDeletionTimestamp() == nil && !(isPod && pod.IsPodTerminal(p))
}

// kindOf is the kind of an object that a workload controls.
func kindOf(object runtime.Object) string {
	if _, ok := object.(*corev1.Pod); ok {
		return "Pod"
	}
	return "ReplicaSet"
}
