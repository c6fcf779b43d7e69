package trace

import (
	"cmp"
	"fmt"
	"slices"
)

// Written knows the writes of a trace whose records are not applied to a Replay: package recording knows them from the outlines of an
// archive. The Replay asks for those of an object, or of a resource, when it needs them, and reads the content from the records.
type Written interface {
	// WritesOf are the writes of an object, in order.
	WritesOf(o Object) []WriteOf
	// ObjectsOf are the objects of a resource that were ever written, and Resources all resources.
	ObjectsOf(resource string) []Object
	Resources() []string
	// Record is the record of a write.
	Record(seq int64) *Record
	// Fail is called when the version of an object after record seq cannot be rebuilt, and does not return.
	Fail(seq int64, err error)
}

// WriteOf is a write of an object that is known.
type WriteOf struct {
	Seq int64
	RV  uint64
	Op  Op
}

// versionsOf are the versions of an object; nil if it has none.
func (r *Replay) versionsOf(o Object) *versions {
	of := r.versions[o]
	if r.Written == nil || of != nil && of.complete {
		return of
	}
	writes := r.Written.WritesOf(o)
	if of == nil {
		if len(writes) == 0 {
			return nil
		}
		of = &versions{of: o, latest: -1}
		r.versions[o] = of
	}
	for _, w := range writes {
		if w.Seq > r.applied {
			gone := w.Op == OpDelete
			of.list = append(of.list, version{seq: w.Seq, rv: w.RV, gone: gone, outlined: true, begins: gone || w.Op == OpCreate})
		}
	}
	of.complete = true
	return of
}

// existenceOf is the existence of the objects of a resource; nil if it has none.
func (r *Replay) existenceOf(resource string) *existence {
	of := r.exist[resource]
	if r.Written == nil || of != nil && of.complete {
		return of
	}
	objects := r.Written.ObjectsOf(resource)
	if of == nil {
		if len(objects) == 0 {
			return nil
		}
		of = &existence{}
		r.exist[resource] = of
	}
	before := len(of.changes)
	for i := range objects {
		object, exists := &objects[i], false
		if known := r.versions[*object]; known != nil {
			object = &known.of
		}
		for _, w := range r.Written.WritesOf(*object) {
			gone := w.Op == OpDelete
			if exists == gone && w.Seq > r.applied {
				of.changes = append(of.changes, existing{w.Seq, object, gone})
			}
			exists = !gone
		}
	}
	slices.SortStableFunc(of.changes[before:], func(a, b existing) int { return cmp.Compare(a.seq, b.seq) })
	of.complete = true
	return of
}

// read is an outlined version with its content, which is not kept: the record has it.
func (r *Replay) read(v version, o Object) (*version, error) {
	record := r.Written.Record(v.seq)
	if record.Request != nil {
		for i := range record.Request.Writes {
			if w := &record.Request.Writes[i]; w.Object == o && w.RV == v.rv && (w.Op == OpDelete) == v.gone {
				r.fill(&v, w)
				return &v, nil
			}
		}
	}
	return nil, fmt.Errorf("record %d does not write %s", v.seq, objectName(o))
}
