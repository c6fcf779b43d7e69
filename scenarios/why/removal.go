package why

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim/trace"
)

// mostNamed is how many objects a reason names; more are counted.
const mostNamed = 3

// removal is the answer for an object that is being deleted and keeps finalizers; nil if it is not. Pods and namespaces, which
// have goals of their own, are not asked here.
func (i *Instant) removal(o trace.Object) *Answer {
	object, err := meta.Accessor(i.object(o))
	if err != nil || object.GetDeletionTimestamp() == nil || len(object.GetFinalizers()) == 0 || o.Resource == "namespaces" {
		return nil
	}
	a := &Answer{
		Object: o, At: i.at, Verdict: Waiting, Wants: "An object that is deleted is removed when its finalizers are.",
		Lacks:    "it is being deleted, but has the finalizer " + strings.Join(object.GetFinalizers(), ", "),
		Upstream: "finalizers: https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/", undated: i.dump != nil,
	}
	for _, finalizer := range object.GetFinalizers() {
		a.Holds = append(a.Holds, i.finalizer(a, object, finalizer)...)
	}
	if seq := i.deleted(o); i.dump == nil && seq != 0 {
		a.Since = &Moment{Record: seq, At: i.rec.At(seq), Text: i.place(seq)}
		next := i.change(o)
		a.Later = i.later(next)
	}
	return a
}

// finalizer says who removes a finalizer, and what that waits for.
func (i *Instant) finalizer(a *Answer, object metav1.Object, finalizer string) []string {
	switch finalizer {
	case metav1.FinalizerDeleteDependents:
		a.Upstream = "processDeletingDependentsItem in " + garbageCollectorFile
		return i.collected(a, append([]string{"foreground deletion: the dependents that block it go first"}, i.blocked(object)...))
	case metav1.FinalizerOrphanDependents:
		a.Upstream = "attemptToOrphanWorker in " + garbageCollectorFile
		return i.collected(a, []string{"the owner references of these dependents are removed first: " + named(i.dependents(object, false))})
	}
	return []string{"whoever added the finalizer " + finalizer + " removes it; nobody else does"}
}

// collected adds to the reasons that the garbage collector has to act, and whether it runs.
func (i *Instant) collected(a *Answer, reasons []string) []string {
	a.Controller = names.GarbageCollectorController
	if i.dump == nil && !i.runs[a.Controller] {
		return append([]string{a.Controller + " does not run"}, reasons...)
	}
	return reasons
}

// blocked follows the dependents that block a foreground deletion, down to those that block nothing else.
func (i *Instant) blocked(owner metav1.Object) []string {
	var texts []string
	for range mostBlockers {
		blocking := i.dependents(owner, true)
		if len(blocking) == 0 {
			if len(texts) == 0 {
				return []string{"none is left"}
			}
			return texts
		}
		owner, _ = meta.Accessor(i.object(blocking[0]))
		text := named(blocking)
		if finalizers := owner.GetFinalizers(); len(finalizers) > 0 && finalizers[0] != metav1.FinalizerDeleteDependents {
			text += ", which has the finalizer " + strings.Join(finalizers, ", ")
		}
		texts = append(texts, text)
	}
	return texts
}

const garbageCollectorFile = "k8s.io/kubernetes/pkg/controller/garbagecollector/garbagecollector.go"

// dependents are the objects with an owner reference to another one; only those that block its deletion, if asked.
func (i *Instant) dependents(owner metav1.Object, blocking bool) []trace.Object {
	var found []trace.Object
	for _, o := range i.rec.ObjectsAt(i.seq) {
		object, err := meta.Accessor(i.object(o))
		if err != nil {
			continue
		}
		for _, reference := range object.GetOwnerReferences() {
			blocks := reference.BlockOwnerDeletion != nil && *reference.BlockOwnerDeletion
			if reference.UID == owner.GetUID() && (blocks || !blocking) {
				found = append(found, o)
			}
		}
	}
	return found
}

// remaining are the objects of a namespace that is being deleted, those with finalizers first.
func (i *Instant) remaining(namespace string) string {
	var finalized, others []trace.Object
	for _, o := range i.rec.ObjectsAt(i.seq) {
		if o.Namespace != namespace || strings.HasPrefix(o.Resource, "events") {
			continue
		}
		if object, err := meta.Accessor(i.object(o)); err == nil && len(object.GetFinalizers()) > 0 {
			finalized = append(finalized, o)
		} else {
			others = append(others, o)
		}
	}
	switch {
	case len(finalized) > 0:
		object, _ := meta.Accessor(i.object(finalized[0]))
		return fmt.Sprintf("%s remain, with finalizers such as %s", named(finalized), object.GetFinalizers()[0])
	case len(others) > 0:
		return named(others) + " remain"
	}
	return ""
}

// deleted is the write that set the deletionTimestamp of an object, or 0.
func (i *Instant) deleted(o trace.Object) int64 {
	versions := i.rec.Versions(o)
	for n := 0; n <= i.rec.VersionAt(o, i.seq); n++ {
		metadata, _ := i.rec.Replay.ObjectVersion(o, versions[n].RV)["metadata"].(map[string]any)
		if metadata["deletionTimestamp"] != nil {
			return versions[n].Seq
		}
	}
	return 0
}

// named lists objects by name.
func named(objects []trace.Object) string {
	var texts []string
	for _, o := range objects[:min(len(objects), mostNamed)] {
		texts = append(texts, trace.ObjectName(o))
	}
	text := strings.Join(texts, ", ")
	if more := len(objects) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if text == "" {
		return "none"
	}
	return text
}

// patience is how long an object may take to be removed before it is listed.
const patience = time.Minute

// removals are the answers for all objects of a namespace that have been terminating for long.
func (i *Instant) removals(namespace string) []*Answer {
	var answers []*Answer
	for _, o := range i.rec.ObjectsAt(i.seq) {
		if namespace != "" && o.Namespace != namespace {
			continue
		}
		a := i.removal(o)
		if a != nil && (a.Since == nil || i.at-a.Since.At > patience) {
			answers = append(answers, a)
		}
	}
	return answers
}
