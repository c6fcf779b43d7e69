package trace

import (
	"cmp"
	"slices"
)

// ObjectsAt are objects as ObjectAt finds each of them, and ObjectVersions as ObjectVersion does, with the resourceVersion at the same
// index. The versions of an object are in many blocks of an archive, between those of others. For many objects, these functions read
// every record once, in the order of the trace:
//
//	              ObjectAt for each             ObjectsAt
//	block 1       web-1 created, web-2 created  web-1 created, web-2 created
//	block 2       web-1 bound                   web-1 bound, web-2 bound
//	block 1 again web-2 created
//	block 2 again web-2 bound
func (r *Replay) ObjectsAt(objects []Object, seq int64) []map[string]any {
	return r.findAll(objects, func(of *versions, _ int) int { return of.before(seq) })
}

// ObjectVersions is described at ObjectsAt.
func (r *Replay) ObjectVersions(objects []Object, rvs []uint64) []map[string]any {
	return r.findAll(objects, func(of *versions, i int) int { return of.revision(rvs[i]) })
}

// rebuilding is a step on the way to an object with an index: a version, by its index, that is read and follows the one before.
type rebuilding struct {
	seq             int64
	of              *versions
	object, version int
}

// findAll is find for many objects, each with its index.
func (r *Replay) findAll(objects []Object, which func(*versions, int) int) []map[string]any {
	r.mu.Lock()
	defer r.mu.Unlock()
	var steps []rebuilding
	for i, o := range objects {
		of := r.versionsOf(o)
		if of == nil {
			continue
		}
		if last := which(of, i); last >= 0 {
			for version := of.from(last); version <= last; version++ {
				steps = append(steps, rebuilding{of.list[version].seq, of, i, version})
			}
		}
	}
	slices.SortStableFunc(steps, func(a, b rebuilding) int { return cmp.Compare(a.seq, b.seq) })
	found := make([]map[string]any, len(objects))
	for _, s := range steps {
		object, err := r.next(s.of, s.version, found[s.object])
		if err != nil {
			r.fail(s.of, s.version, err)
		}
		found[s.object] = object
	}
	for _, s := range steps {
		s.of.latest, s.of.object = s.version, found[s.object]
	}
	return found
}
