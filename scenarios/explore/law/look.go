package law

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/trace"
)

// Look collects what a run did.
type Look struct {
	finder  *compare.Decisions
	Settled *compare.Settlings
	History *compare.History
	Course  *compare.Course

	// created are the objects that anybody created, by their uids, and order lists them.
	created map[string]created
	order   []string
	// scalings counts changes of scales by autoscalers.
	scalings int
}

// created is an object, and the uid of its controller.
type created struct {
	trace.Object
	owner string
}

// NewLook returns a Look before the first record.
func NewLook() *Look {
	finder := compare.NewRoleDecisions()
	return &Look{
		finder: finder, Settled: finder.Settlings(), History: finder.History(), Course: finder.Course(), created: map[string]created{},
	}
}

// Finder has the names of the run.
func (l *Look) Finder() *compare.Decisions { return l.finder }

// Note is a trace.Sink.
func (l *Look) Note(record *trace.Record, _ []byte) {
	l.finder.Add(record)
	l.Settled.Add(record)
	l.History.Add(record)
	l.Course.Add(record)
	if record.Request == nil || record.Background {
		return
	}
	if record.Request.Subresource == "scale" && len(record.Request.Writes) > 0 && compare.Decides(record.Actor) {
		l.scalings++
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		var object metav1.PartialObjectMetadata
		if w.Op != trace.OpCreate || json.Unmarshal(w.New, &object) != nil {
			continue
		}
		made := created{Object: w.Object}
		if owner := metav1.GetControllerOf(&object); owner != nil {
			made.owner = string(owner.UID)
		}
		l.created[string(object.UID)] = made
		l.order = append(l.order, string(object.UID))
	}
}

// Waiting counts the objects that wait for a time, at least one.
func (l *Look) Waiting(t *Time) (count int) {
	for _, uid := range l.order {
		switch object := l.created[uid]; {
		case t.Field.Waits == Nodes && object.Resource == string(Nodes),
			object.Resource == string(t.Field.Waits) && l.isOf(uid, t):
			count++
		}
	}
	if t.Field.Waits == Scalings {
		count = l.scalings
	}
	return max(count, 1)
}

// isOf reports whether an object is the one that has the time, or has been created for it.
func (l *Look) isOf(uid string, t *Time) bool {
	for range len(l.created) {
		object, ok := l.created[uid]
		if !ok {
			return false
		}
		resource, _, _ := strings.Cut(object.Resource, ".")
		kind, name, _ := strings.Cut(t.Object, "/")
		if resource == kind+"s" && object.Name == name && (t.Namespace == "" || object.Namespace == t.Namespace) {
			return true
		}
		uid = object.owner
	}
	return false
}
