package trace

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/sim/diff"
)

// Replay rebuilds the objects of the store from the writes of a trace, which is self-contained: a creation holds the
// object, an update the fields that it changed.
//
// It keeps every version, so that the state at any record is a lookup; versions share what did not change between them.
// Objects are decoded JSON: map[string]any, []any, string, bool, int64, float64 and nil. They must not be modified.
// managedFields are omitted.
type Replay struct {
	versions map[Object][]version
}

// version is an object after the record seq; rv is that of the write.
type version struct {
	seq    int64
	rv     uint64
	object map[string]any
}

// NewReplay returns a Replay before the first record.
func NewReplay() *Replay { return &Replay{versions: map[Object][]version{}} }

// Apply applies the next record.
func (r *Replay) Apply(record *Record) error {
	if record.Request == nil {
		return nil
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		object, err := r.next(w)
		if err != nil {
			return fmt.Errorf("record %d: %s: %w", record.Seq, objectName(w.Object), err)
		}
		r.versions[w.Object] = append(r.versions[w.Object], version{record.Seq, w.RV, object})
	}
	return nil
}

// next is the object after a write; nil if it was deleted.
func (r *Replay) next(w *Write) (map[string]any, error) {
	if w.Op == OpDelete {
		return nil, nil
	}
	var object any
	var err error
	if w.Op == OpCreate {
		object, err = diff.Decode(w.New)
	} else {
		previous := r.Object(w.Object)
		if previous == nil {
			return nil, fmt.Errorf("an update of an object that no record created")
		}
		object, err = diff.Apply(previous, w.Changes)
	}
	if err != nil {
		return nil, err
	}
	m, ok := object.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the object is not a JSON object")
	}
	if metadata, ok := m["metadata"].(map[string]any); ok {
		metadata = clone(metadata)
		metadata["resourceVersion"] = strconv.FormatUint(w.RV, 10)
		delete(metadata, "managedFields")
		m = clone(m)
		m["metadata"] = metadata
	}
	return m, nil
}

// Object is the newest version of an object, or nil if it does not exist.
func (r *Replay) Object(o Object) map[string]any {
	if versions := r.versions[o]; len(versions) > 0 {
		return versions[len(versions)-1].object
	}
	return nil
}

// ObjectAt is an object as it was after the record seq, or nil if it did not exist.
func (r *Replay) ObjectAt(o Object, seq int64) map[string]any {
	versions := r.versions[o]
	i, _ := slices.BinarySearchFunc(versions, seq+1, func(v version, seq int64) int { return cmp.Compare(v.seq, seq) })
	if i == 0 {
		return nil
	}
	return versions[i-1].object
}

// ObjectVersion is an object after the write with this resourceVersion, or nil if no write of the object has it or the
// write deleted the object. A request may write an object twice; a watch reports both.
func (r *Replay) ObjectVersion(o Object, rv uint64) map[string]any {
	versions := r.versions[o]
	i, found := slices.BinarySearchFunc(versions, rv, func(v version, rv uint64) int { return cmp.Compare(v.rv, rv) })
	if !found {
		return nil
	}
	return versions[i].object
}

// Objects lists the objects of a resource that existed after the record seq, by namespace and name.
func (r *Replay) Objects(resource string, seq int64) []Object {
	var objects []Object
	for o := range r.versions {
		if o.Resource == resource && r.ObjectAt(o, seq) != nil {
			objects = append(objects, o)
		}
	}
	slices.SortFunc(objects, func(a, b Object) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
	})
	return objects
}

// Resources lists the resources of which the recording has objects.
func (r *Replay) Resources() []string {
	var resources []string
	for o := range r.versions {
		resources = append(resources, o.Resource)
	}
	slices.Sort(resources)
	return slices.Compact(resources)
}

func clone(m map[string]any) map[string]any {
	c := make(map[string]any, len(m)+1)
	for key, value := range m {
		c[key] = value
	}
	return c
}
