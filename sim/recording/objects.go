package recording

import (
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// ObjectsAt lists the objects that existed after record seq, by resource, namespace and name.
func (r *Recording) ObjectsAt(seq int64) []trace.Object {
	var objects []trace.Object
	for _, o := range r.objects() {
		if at := r.VersionAt(o, seq); at >= 0 && !r.Versions(o)[at].Gone {
			objects = append(objects, o)
		}
	}
	return objects
}

// Regards reports whether an Event refers to an object. An Event names its object's kind, not its resource.
func (r *Recording) Regards(e *trace.Event, o trace.Object) bool {
	plain, _, _ := strings.Cut(o.Resource, ".")
	kind := strings.TrimSuffix(e.Regarding.Resource, "s")
	return e.Regarding.Name == o.Name && e.Regarding.Namespace == o.Namespace &&
		(plain == kind || plain == kind+"s" || plain == kind+"es" || plain == strings.TrimSuffix(kind, "y")+"ies")
}

// ObjectOf is the object of a record, if it is ever in the store.
func (r *Recording) ObjectOf(seq int64) (trace.Object, bool) {
	record := r.Record(seq)
	switch {
	case record == nil:
		return trace.Object{}, false
	case record.Request != nil && len(record.Request.Writes) > 0:
		return record.Request.Writes[0].Object, true
	case record.Request != nil && record.Request.Name != "":
		return r.Caches.Store().Find(record.Request.Object)
	case record.Watch != nil:
		return r.Caches.Store().Find(record.Watch.Object)
	case record.Event != nil:
		for _, o := range r.objects() {
			if r.Regards(record.Event, o) {
				return o, true
			}
		}
	case record.Sync != nil:
		if end := r.Record(r.SyncEnd(r.SyncOf(seq))); end != nil && len(end.Sync.Reads) > 0 {
			return r.Caches.Store().Find(end.Sync.Reads[0].Object)
		}
	}
	return trace.Object{}, false
}
