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

// rebuilding is a step on the way to an object with an index: a version, by its index, that follows the one before.
type rebuilding struct {
	seq             int64
	of              *versions
	object, version int
}

// findAll is find for many objects, each with its index. It locks the Replay for each step alone: others, such as a screen, ask for single
// objects meanwhile, and change which version of an object was looked up last.
func (r *Replay) findAll(objects []Object, which func(*versions, int) int) []map[string]any {
	found, steps := r.plan(objects, which)
	for _, s := range steps {
		found[s.object] = r.rebuild(s, found[s.object])
	}
	return found
}

// plan finds the steps to many objects, in the order of the trace, and what each of them begins with.
func (r *Replay) plan(objects []Object, which func(*versions, int) int) (found []map[string]any, steps []rebuilding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found = make([]map[string]any, len(objects))
	for i, o := range objects {
		of := r.versionsOf(o)
		if of == nil {
			continue
		}
		last := which(of, i)
		if last < 0 {
			continue
		}
		version := of.from(last)
		if version == of.latest {
			found[i] = of.object
			version++
		}
		for ; version <= last; version++ {
			steps = append(steps, rebuilding{of.list[version].seq, of, i, version})
		}
	}
	slices.SortStableFunc(steps, func(a, b rebuilding) int { return cmp.Compare(a.seq, b.seq) })
	return found, steps
}

// rebuild takes a step. The object is the one that was looked up last then, so that an older version of it needs no memory any more.
func (r *Replay) rebuild(s rebuilding, previous map[string]any) map[string]any {
	r.mu.Lock()
	defer r.mu.Unlock()
	object, err := r.next(s.of, s.version, previous)
	if err != nil {
		r.fail(s.of, s.version, err)
	}
	s.of.latest, s.of.object = s.version, object
	return object
}
