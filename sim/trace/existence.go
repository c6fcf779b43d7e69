package trace

import (
	"cmp"
	"slices"
	"strings"
)

// existence knows which objects of a resource exist after a record. It remembers the last answer and follows what was created and deleted
// between there and the next question, since who asks mostly goes through a recording step by step: a list costs what exists and what has
// changed, and not what has ever existed.
type existence struct {
	// changes are in order, and so many of them, behind which objects are what exists, are applied.
	changes []existing
	applied int
	// objects are in order.
	objects []*Object
	// complete says that changes have what Written knows.
	complete bool
}

// existing means that an object exists from a record on, or exists no more.
type existing struct {
	seq    int64
	object *Object
	gone   bool
}

// at are the objects that exist after a record.
func (e *existence) at(seq int64) []Object {
	n, _ := slices.BinarySearchFunc(e.changes, seq+1, func(c existing, seq int64) int { return cmp.Compare(c.seq, seq) })
	// A step moves what is behind the object, so that many of them take longer than all changes at once.
	const near = 64
	if steps := max(n-e.applied, e.applied-n); steps > near+len(e.changes)/near {
		e.count(n)
	}
	for ; e.applied < n; e.applied++ {
		e.apply(e.changes[e.applied], false)
	}
	for ; e.applied > n; e.applied-- {
		e.apply(e.changes[e.applied-1], true)
	}
	objects := make([]Object, len(e.objects))
	for i, object := range e.objects {
		objects[i] = *object
	}
	return objects
}

// apply applies a change, or takes it back.
func (e *existence) apply(c existing, back bool) {
	i, _ := slices.BinarySearchFunc(e.objects, c.object, byPlace)
	if c.gone == back {
		e.objects = slices.Insert(e.objects, i, c.object)
	} else {
		e.objects = slices.Delete(e.objects, i, i+1)
	}
}

// count applies the first n changes at once.
func (e *existence) count(n int) {
	exist := map[*Object]bool{}
	for _, c := range e.changes[:n] {
		if c.gone {
			delete(exist, c.object)
		} else {
			exist[c.object] = true
		}
	}
	e.objects = e.objects[:0]
	for object := range exist {
		e.objects = append(e.objects, object)
	}
	slices.SortFunc(e.objects, byPlace)
	e.applied = n
}

// byPlace orders the objects of a resource by namespace and name.
func byPlace(a, b *Object) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}
