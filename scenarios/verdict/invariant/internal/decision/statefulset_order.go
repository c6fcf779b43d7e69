package decision

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/scenarios/verdict/internal/ordinal"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
)

// Example: db-0 is Ready, db-1 is Pending. A creation of db-2 breaks the invariant.
var statefulSetOrder = Rule{
	Name: "statefulset-order",
	Sentence: "With the Pod management policy OrderedReady, a controller does not create a Pod of a StatefulSet before all Pods with " +
		"lower ordinals are Ready.",
	Forgives: "Pods that were Ready in the controller's cache.",
	Upstream: "https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#deployment-and-scaling-guarantees; processReplica " +
		"in pkg/controller/statefulset/stateful_set_control.go",
	Watch: func(r *Run) Watcher { return &creationOrder{look: look{run: r}, sets: versions[setVersion]{}} },
}

type creationOrder struct {
	look
	sets versions[setVersion]
}

func (o *creationOrder) Change(c *Change) {
	switch object := c.Object.(type) {
	case *appsv1.StatefulSet:
		o.sets.follow(c, object, setVersionOf(object))
	case *corev1.Pod:
		owner := setOf(object)
		if owner == nil || c.Previous != nil || !c.isBy(names.StatefulSetController) {
			return
		}
		if number, found := ordinal.Of(object.Name, owner.Name); found {
			o.created(c, object, owner, number)
		}
	}
}

// created looks at the Pods with lower ordinals.
func (o *creationOrder) created(c *Change, pod *corev1.Pod, owner *metav1.OwnerReference, number int) {
	seen, known := o.pods(c.By)
	start := 0
	sets := o.sets.in(owner.UID, o.run.Views.Of("statefulsets.apps", c.By))
	for _, set := range sets {
		start = max(start, set.start)
		known = known && set.isOrdered
	}
	if !known || len(sets) == 0 {
		return
	}
	o.looked = true
	for lower := start; lower < number; lower++ {
		name := types.NamespacedName{Namespace: pod.Namespace, Name: fmt.Sprintf("%s-%d", owner.Name, lower)}
		mayBeReady := func(p *knowledge.Pod) bool {
			return !p.Was(seen, func(v *knowledge.Version) bool { return !v.IsReady() || v.IsDeleted })
		}
		if !slices.ContainsFunc(o.run.Pods.Named(name), mayBeReady) {
			o.run.Broken(c.Seq, fmt.Sprintf("%s created Pod %s/%s, but %s was not Ready in its cache",
				c.By.Actor, pod.Namespace, pod.Name, name.Name))
			return
		}
	}
}
