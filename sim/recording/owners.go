package recording

import (
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// Kin is an object in a tree of owners.
type Kin struct {
	Object trace.Object
	// Depth is the number of owners above it, and Owned the number of objects that it owns itself.
	Depth, Owned int
	// Note describes a special case: an owner that is gone, or an object that is being deleted.
	Note string
}

// Family is the tree of owners that an object belonged to after record seq, from the topmost owner down, each with the
// objects that it owns.
func (r *Recording) Family(o trace.Object, seq int64) []Kin {
	byUID := map[string]trace.Object{}
	owned := map[string][]trace.Object{}
	for _, other := range r.ObjectsAt(seq) {
		object := r.Replay.ObjectAt(other, seq)
		byUID[text(object, "metadata", "uid")] = other
		if owner := ownerOf(object); owner != "" {
			owned[owner] = append(owned[owner], other)
		}
	}
	top := o
	// A cycle of owners is possible, though never intended.
	for range 16 {
		owner, ok := byUID[ownerOf(r.Replay.ObjectAt(top, seq))]
		if !ok {
			break
		}
		top = owner
	}
	var family []Kin
	var add func(trace.Object, int)
	add = func(o trace.Object, depth int) {
		object := r.Replay.ObjectAt(o, seq)
		if object == nil || depth > 16 {
			return
		}
		children := owned[text(object, "metadata", "uid")]
		family = append(family, Kin{o, depth, len(children), bondOf(object, byUID)})
		for _, child := range children {
			add(child, depth+1)
		}
	}
	add(top, 0)
	return family
}

// ownerOf is the uid of the controlling owner or, if there is none, of the first owner.
func ownerOf(object map[string]any) string {
	if uid := controllerOf(object); uid != "" {
		return uid
	}
	owners, _ := field(object, "metadata", "ownerReferences").([]any)
	if len(owners) == 0 {
		return ""
	}
	first, _ := owners[0].(map[string]any)
	return text(first, "uid")
}

func bondOf(object map[string]any, byUID map[string]trace.Object) string {
	var notes []string
	if uid := ownerOf(object); uid != "" {
		if _, ok := byUID[uid]; !ok {
			notes = append(notes, "its owner is gone")
		} else if controllerOf(object) == "" {
			notes = append(notes, "owned, not controlled")
		}
	}
	if text(object, "metadata", "deletionTimestamp") != "" {
		notes = append(notes, "terminating")
	}
	if finalizers, _ := field(object, "metadata", "finalizers").([]any); len(finalizers) > 0 {
		names := make([]string, len(finalizers))
		for i := range finalizers {
			names[i], _ = finalizers[i].(string)
		}
		notes = append(notes, "finalizer "+strings.Join(names, ", "))
	}
	return strings.Join(notes, " · ")
}
