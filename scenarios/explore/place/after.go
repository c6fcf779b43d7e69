package place

import (
	"encoding/json"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/trace"
)

// A second fault tells something new where it meets what the first one has disturbed. Controllers work on keys: an event of a Pod makes a
// controller sync the key of its ReplicaSet, and that writes the ReplicaSet and its Pods. Two faults whose objects, and the owners of
// these, are all different meet in no key, and mostly do together what they do alone. It is not certain, since a crash interrupts the work
// on all keys of a process.

// after are the places of a run with a fault at which a second one can meet the first.
type after struct {
	place *Place
	// owners are the controllers of objects, and byUID all objects.
	owners map[trace.Object]trace.Object
	byUID  map[types.UID]trace.Object
}

// NewLookAfter returns a Look for a run with the fault at a place. Its places come after that one, at writes and events which are about the
// same object, its owner, or one that it owns. Rules begin at their times, and count from then on: the first fault may have kept earlier
// requests from arriving.
func NewLookAfter(s *format.Scenario, first *Place) *Look {
	look := NewLook(s)
	look.nearby = true
	look.first = &after{place: first, owners: map[trace.Object]trace.Object{}, byUID: map[types.UID]trace.Object{}}
	return look
}

// note learns the owners of what a record creates.
func (a *after) note(record *trace.Record) {
	if record.Request == nil {
		return
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		if w.Op != trace.OpCreate {
			continue
		}
		a.byUID[types.UID(w.UID)] = w.Object
		var object metav1.PartialObjectMetadata
		if json.Unmarshal(w.New, &object) != nil {
			continue
		}
		if owner := metav1.GetControllerOfNoCopy(&object); owner != nil {
			a.owners[w.Object] = a.byUID[owner.UID]
		}
	}
}

// transit is longer than any request or event takes that no fault delays or holds.
const transit = time.Second

// isDelayed reports whether a fault has delayed a request or an event, or held its stream. Rules apply to it when it arrives, and so no
// second fault applies at its time.
func isDelayed(record *trace.Record) bool {
	switch {
	case record.Watch != nil:
		return record.At-record.Watch.Written > transit
	case record.Request != nil:
		return record.At-record.Request.Sent > transit
	}
	return false
}

// meets reports whether a second fault at a spot can meet the first one.
func (a *after) meets(s spot) bool {
	at, _, object := s.about()
	return at > a.place.At && slices.ContainsFunc(a.keys(object), func(key trace.Object) bool {
		return slices.Contains(a.keys(a.place.Object), key)
	})
}

// keys are an object and its controller.
func (a *after) keys(object trace.Object) []trace.Object {
	if owner := a.owners[object]; owner != (trace.Object{}) {
		return []trace.Object{object, owner}
	}
	return []trace.Object{object}
}

// near are the writes or events of a kind at one time; Object is empty for those about any object.
type near struct {
	kind
	object trace.Object
	at     time.Duration
}

// positions count them.
type positions map[near]int

func (p positions) position(n near) int {
	p[n]++
	return p[n]
}

// Prolongs reports whether a fault only makes another one longer: two outages of one controller are one that refuses more attempts.
func (p *Place) Prolongs(first *Place) bool {
	return p.Kind == outage && first.Kind == outage && p.Actor == first.Actor
}
