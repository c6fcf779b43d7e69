package invariant

import (
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/kinds"
)

// collectTime is how long the garbage collector may take after an owner is gone: it looks twice, and a queue of
// dependents passes its client's rate limit.
const collectTime = time.Minute

var noOrphans = Invariant{
	Name: "no-orphans",
	Sentence: "A Pod, ReplicaSet or Job keeps its controller as long as its labels match, and none remains " +
		"after its owner is gone.",
	Forgives: "References that a user or a fault removed, and owners deleted with orphans. Dependents in the first minute after their " +
		"owner is gone, and those in a cluster without a working garbage collector.",
	Upstream: "ClaimObject in pkg/controller/controller_ref_manager.go; isDangling in pkg/controller/garbagecollector/garbagecollector.go",
	watch: func(r *Run) watcher {
		return &orphans{run: r, owners: map[types.UID]bool{}, gone: map[types.UID]time.Duration{}}
	},
}

type orphans struct {
	passive
	run *Run
	// owners are the objects that exist, and gone says since when others do not.
	owners map[types.UID]bool
	gone   map[types.UID]time.Duration
	looked bool
}

func (o *orphans) hasLooked() bool { return o.looked }

func (o *orphans) change(c *change) {
	object, ok := c.Object.(metav1.Object)
	if !ok {
		return
	}
	switch {
	case c.Op == memdb.OpDelete:
		delete(o.owners, object.GetUID())
		o.gone[object.GetUID()] = o.run.Now()
		return
	case c.Previous == nil:
		o.owners[object.GetUID()] = true
		return
	}
	previous, ok := c.Previous.(metav1.Object)
	if !ok {
		return
	}
	before := metav1.GetControllerOfNoCopy(previous)
	if before == nil {
		return
	}
	o.looked = true
	now := metav1.GetControllerOfNoCopy(object)
	if now != nil && now.UID == before.UID || !isDependent(c.Kind) || !o.run.isChosen(c) || o.wasReleased(object, before) {
		return
	}
	o.run.broken(c.Seq, fmt.Sprintf("%s released %s %s/%s from its controller, %s %s, although it still matches the selector",
		c.By.Actor, c.Kind.Kind, object.GetNamespace(), object.GetName(), before.Kind, before.Name))
}

// wasReleased reports whether there is a reason that an object lost its controller.
func (o *orphans) wasReleased(object metav1.Object, before *metav1.OwnerReference) bool {
	version, err := schema.ParseGroupVersion(before.APIVersion)
	if err != nil {
		return true
	}
	kind := kinds.BuiltIn().Serving(version.WithKind(before.Kind))
	if kind == nil || !kind.OwnsPods() {
		return true
	}
	owner, found := o.run.Get(kind.GroupResource(), object.GetNamespace(), before.Name)
	if !found || owner.(metav1.Object).GetUID() != before.UID || owner.(metav1.Object).GetDeletionTimestamp() != nil {
		return true
	}
	return !selectorOf(owner).Matches(labels.Set(object.GetLabels()))
}

func selectorOf(owner runtime.Object) labels.Selector {
	var selector *metav1.LabelSelector
	switch owner := owner.(type) {
	case *appsv1.Deployment:
		selector = owner.Spec.Selector
	case *appsv1.ReplicaSet:
		selector = owner.Spec.Selector
	case *appsv1.StatefulSet:
		selector = owner.Spec.Selector
	case *appsv1.DaemonSet:
		selector = owner.Spec.Selector
	case *batchv1.Job:
		selector = owner.Spec.Selector
	case *corev1.ReplicationController:
		return labels.SelectorFromSet(owner.Spec.Selector)
	}
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return labels.Everything()
	}
	return parsed
}

// dependents are the resources of which none may be left behind.
var dependents = []schema.GroupResource{corev1.Resource("pods"), appsv1.Resource("replicasets"), batchv1.Resource("jobs")}

// isDependent reports whether an object of the kind keeps its controller. Other kinds may change hands: a StatefulSet that is scaled down
// gives the claim of a Pod to the Pod.
func isDependent(gvk schema.GroupVersionKind) bool {
	kind := kinds.BuiltIn().Serving(gvk)
	return kind != nil && slices.Contains(dependents, kind.GroupResource())
}

func (o *orphans) end() {
	if _, works := o.run.Process(names.GarbageCollectorController); !works {
		return
	}
	for _, resource := range dependents {
		for _, object := range o.run.List(resource, "") {
			o.left(resource, object.(metav1.Object))
		}
	}
}

// left looks at an object at the end of a run.
func (o *orphans) left(resource schema.GroupResource, object metav1.Object) {
	refs := object.GetOwnerReferences()
	if len(refs) == 0 || object.GetDeletionTimestamp() != nil {
		return
	}
	if slices.ContainsFunc(refs, func(ref metav1.OwnerReference) bool {
		since, gone := o.gone[ref.UID]
		return o.owners[ref.UID] || !gone || o.run.Now()-since < collectTime
	}) {
		return
	}
	o.run.broken(0, fmt.Sprintf("%s %s/%s remains at the end; its owner, %s %s, has been gone for %s",
		resource, object.GetNamespace(), object.GetName(), refs[0].Kind, refs[0].Name,
		(o.run.Now()-o.gone[refs[0].UID]).Round(time.Second)))
}
