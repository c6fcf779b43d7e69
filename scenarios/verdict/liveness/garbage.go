package liveness

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

const garbageCollectorFile = "k8s.io/kubernetes/pkg/controller/garbagecollector/garbagecollector.go"

var dependents = Goal{
	Controller: names.GarbageCollectorController, Always: true,
	Sentence: "An object is deleted if none of its owners exists any more, or if they are being deleted in the foreground. An object " +
		"that has another owner loses the references to owners that do not exist. Events are left alone.",
	Upstream: "attemptToDeleteItem in " + garbageCollectorFile,
	lack: func(v *view, object runtime.Object) *Lack {
		o, err := meta.Accessor(object)
		// An object that is being deleted already is a matter of its finalizers.
		if err != nil || len(o.GetOwnerReferences()) == 0 || o.GetDeletionTimestamp() != nil || isIgnored(object) {
			return nil
		}
		var gone, leaving, solid []string
		for _, reference := range o.GetOwnerReferences() {
			owner, known := v.owner(o.GetNamespace(), reference)
			text := reference.Kind + " " + reference.Name
			switch {
			case !known:
				return nil
			case owner == nil:
				gone = append(gone, text)
			case owner.GetDeletionTimestamp() != nil && slices.Contains(owner.GetFinalizers(), metav1.FinalizerDeleteDependents):
				leaving = append(leaving, text)
			default:
				solid = append(solid, text)
			}
		}
		switch {
		case len(gone)+len(leaving) == 0:
			return nil
		case len(solid) > 0:
			return &Lack{Missing: fmt.Sprintf("it has an owner reference to %s, which does not exist or is being deleted",
				strings.Join(append(gone, leaving...), ", "))}
		case len(leaving) > 0:
			return &Lack{Missing: fmt.Sprintf("its owner %s is being deleted in the foreground, but it is not", leaving[0])}
		}
		return &Lack{Missing: fmt.Sprintf("its owner %s does not exist, but it is not deleted", gone[0])}
	},
}

// isIgnored reports whether an object is of a kind that the garbage collector does not watch (DefaultIgnoredResources).
func isIgnored(object runtime.Object) bool {
	switch object.(type) {
	case *corev1.Event, *eventsv1.Event:
		return true
	}
	return false
}

// owner returns the owner of an object in a namespace, nil if it does not exist; known is false if that cannot be said.
func (v *view) owner(namespace string, reference metav1.OwnerReference) (owner metav1.Object, known bool) {
	gvk := schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind)
	kind := v.kinds().Serving(gvk)
	if kind == nil || !v.has(kind.GroupResource()) {
		return nil, false
	}
	switch {
	case !kind.Namespaced:
		namespace = ""
	case namespace == "":
		return nil, false // such an owner is invalid, and upstream does not look for it
	}
	object, found := v.Get(kind.GroupResource(), namespace, reference.Name)
	if !found {
		return nil, true
	}
	owner, err := meta.Accessor(object)
	if err != nil || owner.GetUID() != reference.UID {
		return nil, err == nil
	}
	return owner, true
}

var owners = Goal{
	Controller: names.GarbageCollectorController, Always: true,
	Sentence: "An object that is deleted in the foreground is removed after the dependents that block its deletion. An object whose " +
		"dependents are orphaned is removed after they have lost their references to it.",
	Upstream: "processDeletingDependentsItem and attemptToOrphanWorker in " + garbageCollectorFile,
	lack: func(v *view, object runtime.Object) *Lack {
		o, err := meta.Accessor(object)
		if err != nil || o.GetDeletionTimestamp() == nil {
			return nil
		}
		foreground := slices.Contains(o.GetFinalizers(), metav1.FinalizerDeleteDependents)
		if !foreground && !slices.Contains(o.GetFinalizers(), metav1.FinalizerOrphanDependents) {
			return nil
		}
		if !foreground {
			return &Lack{Missing: "it is being deleted, but has the finalizer " + metav1.FinalizerOrphanDependents}
		}
		lack := &Lack{Missing: "it is being deleted, but has the finalizer " + metav1.FinalizerDeleteDependents}
		if resource, blocker, more := v.blocking(o); blocker != nil {
			kind := v.kinds().Of(resource)
			accessor, _ := meta.Accessor(blocker)
			lack.await(resource, blocker, fmt.Sprintf("%s %s, a dependent that blocks its deletion", kind.Kind, accessor.GetName()))
			if more > 0 {
				lack.For += fmt.Sprintf(", and %d more", more)
			}
		}
		return lack
	},
}

// blocking is the first dependent that blocks the foreground deletion of an object, and how many more there are; nil if there is
// none.
func (v *view) blocking(owner metav1.Object) (resource schema.GroupResource, first runtime.Object, more int) {
	for _, of := range v.Resources() {
		if v.kinds().Of(of) == nil {
			continue
		}
		for _, object := range v.List(of, owner.GetNamespace()) {
			dependent, err := meta.Accessor(object)
			if err != nil || !blocks(dependent, owner) {
				continue
			}
			if first != nil {
				more++
				continue
			}
			resource, first = of, object
		}
	}
	return resource, first, more
}

// blocks reports whether an object blocks the foreground deletion of its owner.
func blocks(dependent, owner metav1.Object) bool {
	return slices.ContainsFunc(dependent.GetOwnerReferences(), func(r metav1.OwnerReference) bool {
		return r.UID == owner.GetUID() && r.BlockOwnerDeletion != nil && *r.BlockOwnerDeletion
	})
}
