package recording

import (
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
)

// Kin is an object with its owner.
type Kin struct {
	Object trace.Object
	// Owner is its controlling owner or, if there is none, its first owner; the zero Object if it has none, or if its owner is gone.
	Owner trace.Object
	// Depth is the number of owners above it, and Owned the number of objects that it owns itself.
	Depth, Owned int
	// Note describes a special case: an owner that is gone, or an object that is being deleted.
	Note string
}

// KinAt lists the objects that existed after record seq as ObjectsAt does, each with its owner. Depth is 0.
func (r *Recording) KinAt(seq int64) []Kin {
	objects := r.ObjectsAt(seq)
	bonds, byUID := r.bondsOf(objects, seq), map[string]int{}
	for i := range objects {
		byUID[bonds[i].uid] = i
	}
	family := make([]Kin, len(objects))
	for i, o := range objects {
		family[i].Object, family[i].Note = o, bonds[i].note
		if bonds[i].owner == "" {
			continue
		}
		owner, ok := byUID[bonds[i].owner]
		switch {
		case !ok:
			family[i].note("its owner is gone")
			continue
		case !bonds[i].controlled:
			family[i].note("owned, not controlled")
		}
		family[i].Owner = objects[owner]
		family[owner].Owned++
	}
	return family
}

// note adds a text before the note.
func (k *Kin) note(text string) {
	if k.Note != "" {
		text += " · " + k.Note
	}
	k.Note = text
}

// deepest is how many owners are followed. A cycle of owners is possible, though never intended.
const deepest = 16

// Family is the tree of owners that an object belonged to after record seq, from the topmost owner down, each with the
// objects that it owns. An object that is gone has what is left of that: the objects whose owner it was.
func (r *Recording) Family(o trace.Object, seq int64) []Kin {
	byObject, owned := map[trace.Object]Kin{}, map[trace.Object][]Kin{}
	gone := r.lastBond(o, seq)
	for _, kin := range r.KinAt(seq) {
		if kin.Owner == (trace.Object{}) && gone.uid != "" && r.bond(kin.Object, seq).owner == gone.uid {
			kin.Owner = o
		}
		byObject[kin.Object] = kin
		owned[kin.Owner] = append(owned[kin.Owner], kin)
	}
	top, exists := byObject[o]
	switch {
	case !exists && gone.uid == "":
		return nil
	case !exists:
		top = Kin{Object: o, Owned: len(owned[o]), Note: "deleted"}
	}
	for n := 0; n < deepest && top.Owner != (trace.Object{}); n++ {
		top = byObject[top.Owner]
	}
	var family []Kin
	var add func(Kin, int)
	add = func(kin Kin, depth int) {
		if kin.Depth = depth; depth > deepest {
			return
		}
		family = append(family, kin)
		for _, child := range owned[kin.Object] {
			add(child, depth+1)
		}
	}
	add(top, 0)
	return family
}

// lastBond is that of an object that existed before record seq, and does not exist after it.
func (r *Recording) lastBond(o trace.Object, seq int64) bond {
	at := r.VersionAt(o, seq)
	if at < 1 || !r.Versions(o)[at].Gone {
		return bond{}
	}
	return r.bond(o, r.Versions(o)[at-1].Seq)
}

// Owners are the owner of an object after record seq, the owner of that, and so on. An object that this record removes has those that it
// had before. Only Pods and workloads are found as owners.
func (r *Recording) Owners(o trace.Object, seq int64) (owners []trace.Object) {
	if r.VersionAt(o, seq) < 0 || r.bond(o, seq).uid == "" {
		seq--
	}
	for range deepest {
		of := r.lifetimes().owned[r.bond(o, seq).owner]
		if of == nil || of.owner == nil {
			break
		}
		o = of.owner.object
		owners = append(owners, o)
	}
	return owners
}

// Creation is what an object was created with: its uid, and that of its controller, if it has one.
type Creation struct{ UID, Controller string }

// CreationOf is that of the first object with this name; ok is false if there is none. That of a Pod, a workload or a node is known without
// the object, so its record is not read.
func (r *Recording) CreationOf(o trace.Object) (c Creation, ok bool) {
	versions := r.Versions(o)
	if len(versions) == 0 {
		return c, false
	}
	if follows(o.Resource) {
		if first := r.lifetimes().first[o]; first != nil && first.born == versions[0].Seq {
			return Creation{first.uid, first.creator}, true
		}
	}
	object := r.Replay.ObjectAt(o, versions[0].Seq)
	return Creation{text(object, "metadata", "uid"), outline.ControllerOf(object)}, object != nil
}

// bond is what a version of an object says of itself and its owner.
type bond struct {
	uid, owner string
	controlled bool
	note       string
}

// versionOf is a version of an object, by its index.
type versionOf struct {
	trace.Object
	version int
}

// bond is that of an object after record seq. It is kept, since most versions are looked at again and again.
func (r *Recording) bond(o trace.Object, seq int64) bond {
	return r.bondsOf([]trace.Object{o}, seq)[0]
}

// bondsOf are those of many objects.
func (r *Recording) bondsOf(objects []trace.Object, seq int64) []bond {
	bonds := make([]bond, len(objects))
	var unknown []trace.Object
	var at []int
	for i, o := range objects {
		known := false
		if bonds[i], known = r.bonds[versionOf{o, r.VersionAt(o, seq)}]; !known {
			unknown, at = append(unknown, o), append(at, i)
		}
	}
	for n, object := range r.Replay.ObjectsAt(unknown, seq) {
		if len(r.bonds) >= descriptionsMax {
			clear(r.bonds)
		}
		bonds[at[n]] = bondOf(object)
		r.bonds[versionOf{unknown[n], r.VersionAt(unknown[n], seq)}] = bonds[at[n]]
	}
	return bonds
}

func bondOf(object map[string]any) bond {
	b := bond{uid: text(object, "metadata", "uid"), owner: outline.ControllerOf(object)}
	b.controlled = b.owner != ""
	if owners, _ := field(object, "metadata", "ownerReferences").([]any); !b.controlled && len(owners) > 0 {
		first, _ := owners[0].(map[string]any)
		b.owner = text(first, "uid")
	}
	var notes []string
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
	b.note = strings.Join(notes, " · ")
	return b
}
