package garbage

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// The graph of the controller has the objects of all informers, by uid, with their owners.

// version is an object in one version; nil if it is unknown.
func (i *item) version(o trace.Object, rv uint64) *unstructured.Unstructured {
	if fields := i.Rec.Replay.ObjectVersion(o, rv); fields != nil {
		return &unstructured.Unstructured{Object: fields}
	}
	return nil
}

// graphVersion is the revision of an object in the graph; 0 for none.
func (i *item) graphVersion(o trace.Object) uint64 {
	for _, actor := range i.informers() {
		if rv := i.Rec.Caches.Read(actor, o.Resource).Version(o, i.Reads); rv > 0 {
			return rv
		}
	}
	return 0
}

// informers are the clients that fill the graph.
func (i *item) informers() []string {
	_, suffix := trace.SplitActor(i.Start.Actor)
	return []string{trace.InformerActor + suffix, trace.MetadataActor + suffix}
}

// dependents are the objects in the graph with a reference to an owner.
func (i *item) dependents(owner *unstructured.Unstructured) []trace.Object {
	return i.referring(owner, func(metav1.OwnerReference) bool { return true })
}

// blocking are the dependents that block the deletion of an owner.
func (i *item) blocking(owner *unstructured.Unstructured) []trace.Object {
	return i.referring(owner, func(r metav1.OwnerReference) bool { return r.BlockOwnerDeletion != nil && *r.BlockOwnerDeletion })
}

func (i *item) referring(owner *unstructured.Unstructured, is func(metav1.OwnerReference) bool) []trace.Object {
	var found []trace.Object
	for _, informer := range i.Rec.Caches.Informers() {
		if !slices.Contains(i.informers(), informer.Actor) || strings.HasPrefix(informer.Resource, "events") {
			continue
		}
		for _, o := range i.Objects(informer, owner.GetNamespace()) {
			dependent := i.version(o, informer.Version(o, i.Reads))
			if dependent != nil && slices.ContainsFunc(dependent.GetOwnerReferences(), func(r metav1.OwnerReference) bool {
				return r.UID == owner.GetUID() && is(r)
			}) && !slices.Contains(found, o) {
				found = append(found, o)
			}
		}
	}
	return found
}

// owner is the object of an owner reference as the sync read it; nil if it does not exist, or has another uid. A sync does not read an
// owner of which the controller remembers that it does not exist.
func (i *item) owner(reference metav1.OwnerReference) *unstructured.Unstructured {
	kind := kinds.BuiltIn().Serving(schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind))
	if kind == nil {
		return nil
	}
	o := trace.Object{Resource: kind.GroupResource().String(), Namespace: i.object.Namespace, Name: reference.Name}
	if !kind.Namespaced {
		o.Namespace = ""
	}
	answer := i.answer(o)
	if answer == nil {
		return nil
	}
	owner := i.version(o, observed.Number(answer.RV))
	if owner == nil || owner.GetUID() != reference.UID {
		return nil
	}
	return owner
}

// isDeletingDependents reports whether an object is deleted in the foreground.
func isDeletingDependents(object *unstructured.Unstructured) bool {
	return object.GetDeletionTimestamp() != nil && slices.Contains(object.GetFinalizers(), metav1.FinalizerDeleteDependents)
}
