// Package garbage computes a sync of garbage-collector-controller again: which owners of an object exist, which dependents block its
// deletion, and whether it is therefore deleted, loses references or a finalizer, or stays.
package garbage

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

const (
	collectorFile = "pkg/controller/garbagecollector/garbagecollector.go"
	// queue has the objects that may have to be deleted; those of the other queue lose their dependents.
	queue = "garbage_collector_attempt_to_delete"
)

// item is one sync of an object.
type item struct {
	observed.Sync
	out    *arithmetic.Explanation
	object trace.Object
	plural string
	// latest is the object as the API server has it: the sync reads it.
	latest *unstructured.Unstructured
}

// Item explains a sync of an object that the garbage collector may delete, as attemptToDeleteItem decides.
func Item(s observed.Sync) *arithmetic.Explanation {
	object, ok := objectOf(s)
	if s.Start.Sync.Queue != queue || !ok {
		return nil
	}
	plural, _, _ := strings.Cut(object.Resource, ".")
	e := &arithmetic.Explanation{
		Start: s.Start.Seq, At: s.Start.At, Controller: s.Controller(), Key: s.Key(), Branch: "attemptToDeleteItem",
	}
	i := &item{Sync: s, out: e, object: object, plural: plural}
	known := i.version(object, i.graphVersion(object))
	switch {
	case known != nil && known.GetDeletionTimestamp() != nil && !isDeletingDependents(known):
		e.Verdict = "nothing: it is being deleted already"
	case !i.read():
		e.Verdict = "nothing: it does not exist"
	case known != nil && known.GetUID() != i.latest.GetUID():
		e.Verdict = "nothing: it is another object of that name"
	default:
		// The graph changes while the sync waits for the answer.
		i.Reads = i.lastAnswer()
		known = i.version(object, i.graphVersion(object))
		if known != nil && isDeletingDependents(known) {
			i.foreground(known)
		} else {
			i.owners()
		}
	}
	e.Why = e.Verdict
	return s.Finish(e)
}

// objectOf is the object of a key, which has its resource: default/pods/web. The sync reads that object, which tells its group.
func objectOf(s observed.Sync) (trace.Object, bool) {
	parts := strings.Split(s.Key(), "/")
	if len(parts) < 2 {
		return trace.Object{}, false
	}
	o := trace.Object{Resource: parts[len(parts)-2], Name: parts[len(parts)-1]}
	if len(parts) > 2 {
		o.Namespace = parts[0]
	}
	for _, r := range s.Requests {
		q := r.Request
		if plural, _, _ := strings.Cut(q.Resource, "."); plural == o.Resource && q.Name == o.Name {
			o.Resource = q.Resource
			return o, true
		}
	}
	if found, ok := s.Rec.Caches.Store().Find(o); ok {
		return found, true
	}
	return o, true
}

// read is the answer to the first request for the object; false if it does not exist.
func (i *item) read() bool {
	answer := i.answer(i.object)
	if answer == nil || answer.Code != http.StatusOK {
		return false
	}
	i.latest = i.version(i.object, observed.Number(answer.RV))
	return i.latest != nil
}

// lastAnswer is the last record before the sync continues with the object that it has read.
func (i *item) lastAnswer() int64 {
	for n, r := range i.Requests {
		if r.Request.Verb != "get" || r.Request.Object != i.object {
			continue
		}
		if n+1 < len(i.Requests) {
			return i.Rec.Find(i.Requests[n+1].Request.Sent)
		}
		break
	}
	if i.End != nil {
		return i.End.Seq
	}
	return i.Reads
}

// answer is the answer to the first request of the sync that reads an object, nil for none.
func (i *item) answer(o trace.Object) *trace.Request {
	for _, r := range i.Requests {
		if r.Request.Verb == "get" && r.Request.Object == o {
			return r.Request
		}
	}
	return nil
}

// foreground says whether dependents still block the deletion of an object (processDeletingDependentsItem).
func (i *item) foreground(known *unstructured.Unstructured) {
	step := i.out.Step("the dependents that block its deletion", collectorFile, "processDeletingDependentsItem")
	blocking := i.blocking(known)
	for _, o := range blocking[:min(len(blocking), mostNamed)] {
		step.Line(trace.ObjectName(o), "blockOwnerDeletion", "exists")
	}
	if len(blocking) > 0 {
		step.Line("together", "", len(blocking))
		i.out.Verdict = "nothing: " + trace.ObjectName(blocking[0])
		if more := len(blocking) - 1; more > 0 {
			i.out.Verdict += fmt.Sprintf(" and %s block its deletion", trace.Count(more, "other dependent"))
		} else {
			i.out.Verdict += " blocks its deletion"
		}
		return
	}
	step.Line("none", "", 0)
	i.patch("it removes the finalizer " + metav1.FinalizerDeleteDependents + ": no dependent blocks its deletion")
}

// mostNamed is how many dependents are lines.
const mostNamed = 5

// owners says which owners an object has (classifyReferences), and what follows.
func (i *item) owners() {
	step := i.out.Step("its owners", collectorFile, "classifyReferences")
	var solid, dangling, leaving []string
	for _, reference := range i.latest.GetOwnerReferences() {
		text := reference.Kind + " " + reference.Name
		switch owner := i.owner(reference); {
		case owner == nil:
			step.Line(text, "does not exist", "dangling")
			dangling = append(dangling, text)
		case owner.GetDeletionTimestamp() != nil && isDeletingDependents(owner):
			step.Line(text, "is being deleted in the foreground", "waitingForDependentsDeletion")
			leaving = append(leaving, text)
		default:
			step.Line(text, "exists", "solid")
			solid = append(solid, text)
		}
	}
	gone := strings.Join(append(slices.Clone(dangling), leaving...), ", ")
	switch {
	case len(solid)+len(dangling)+len(leaving) == 0:
		i.out.Verdict = "nothing: it has no owner"
	case len(solid) > 0 && gone == "":
		i.out.Verdict = "nothing: its owner " + solid[0] + " exists"
	case len(solid) > 0:
		i.patch("it removes the references to " + gone + ": the owner " + solid[0] + " exists")
	case len(leaving) > 0 && len(i.dependents(i.latest)) > 0:
		i.delete("its owner " + leaving[0] + " is being deleted in the foreground, and so is it, since it has dependents")
	case len(leaving) > 0:
		i.delete("its owner " + leaving[0] + " is being deleted in the foreground")
	default:
		i.delete("no owner is left: " + gone)
	}
}

// patch and delete are what the sync asks for. It tries again after a conflict.
func (i *item) patch(verdict string) {
	tries := 1
	for _, r := range i.Requests {
		if r.Request.Verb == "patch" && r.Request.Code == http.StatusConflict {
			tries++
		}
	}
	i.out.Act("patch", i.plural, tries, slices.Repeat([]string{i.object.Name}, tries)...)
	i.out.Verdict = verdict
}

func (i *item) delete(why string) {
	i.out.Act("delete", i.plural, 1, i.object.Name)
	i.out.Verdict = "it deletes " + trace.ObjectName(i.object) + ": " + why
}
