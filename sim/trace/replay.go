package trace

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/kubestep/kubestep/sim/trace/diff"
)

// Replay rebuilds the objects of the store from the writes of a trace, which is self-contained: a creation holds the
// object, an update the fields that it changed.
//
// It keeps every version, so that the state at any record is a lookup: the lines of creations, the changes of updates,
// and now and then a whole object, from which those behind it are rebuilt when they are needed.
// Objects are decoded JSON: map[string]any, []any, string, bool, int64, float64 and nil. They must not be modified.
// managedFields are omitted. A Replay is safe for concurrent use after the last Apply.
type Replay struct {
	// Written knows the writes of the records behind those that were applied; nil if there are none. See Written.
	Written Written

	mu sync.Mutex
	// applied is the last record that was applied.
	applied  int64
	versions map[Object]*versions
	exist    map[string]*existence
	// paths are the paths of all changes: versions of many objects share them.
	paths map[string]string
}

// versions are those of one object, also after it was deleted and created again.
type versions struct {
	of   Object
	list []version
	// latest is the version that was looked up last, rebuilt.
	latest int
	object map[string]any
	// complete says that the list has what Written knows.
	complete bool
}

// version is an object after the record seq; rv is that of the write.
type version struct {
	seq int64
	rv  uint64
	// created is the object of a creation, and changes are those of an update; both are nil for a deletion. whole is
	// the object after some of the updates.
	created json.RawMessage
	changes []diff.Change
	whole   map[string]any
	gone    bool
	// outlined says that created or changes are in the record, and begins that the object does not depend on the version before.
	outlined, begins bool
}

// wholeEvery is how many updates are applied at most to rebuild an object.
const wholeEvery = 16

// NewReplay returns a Replay before the first record.
func NewReplay() *Replay {
	return &Replay{versions: map[Object]*versions{}, exist: map[string]*existence{}, paths: map[string]string{}}
}

// Apply applies the next record.
func (r *Replay) Apply(record *Record) error {
	r.applied = record.Seq
	if record.Request == nil {
		return nil
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		if err := r.write(w, record.Seq); err != nil {
			return fmt.Errorf("record %d: %s: %w", record.Seq, objectName(w.Object), err)
		}
	}
	return nil
}

// ErrUpdate is the error of an update without the creation of its object.
var ErrUpdate = errors.New("an update of an object that no record created")

// write adds the version after a write.
func (r *Replay) write(w *Write, seq int64) error {
	of := r.versions[w.Object]
	if of == nil {
		of = &versions{of: w.Object}
	}
	existed := len(of.list) > 0 && !of.list[len(of.list)-1].gone
	if !existed && w.Op != OpDelete && w.Op != OpCreate {
		return ErrUpdate
	}
	next := version{seq: seq, rv: w.RV, gone: w.Op == OpDelete, begins: w.Op == OpDelete || w.Op == OpCreate}
	r.fill(&next, w)
	var previous map[string]any
	var err error
	if !next.begins {
		if previous, err = r.at(of, len(of.list)-1); err != nil {
			return err
		}
	}
	object, err := next.object(previous)
	if err != nil {
		return err
	}
	if len(of.list)%wholeEvery == wholeEvery-1 {
		next.whole = object
	}
	of.list = append(of.list, next)
	of.latest, of.object = len(of.list)-1, object
	r.versions[w.Object] = of
	if existed == next.gone {
		r.existence(w.Resource, existing{seq, &of.of, next.gone})
	}
	return nil
}

// fill sets the content of a version.
func (r *Replay) fill(v *version, w *Write) {
	switch w.Op {
	case OpDelete:
	case OpCreate:
		v.created = w.New
	default:
		v.changes = make([]diff.Change, len(w.Changes))
		for i, change := range w.Changes {
			v.changes[i] = diff.Change{Path: r.path(change.Path), New: change.New}
		}
	}
}

// existence notes that an object exists, or does not exist any more.
func (r *Replay) existence(resource string, change existing) {
	of := r.exist[resource]
	if of == nil {
		of = &existence{}
		r.exist[resource] = of
	}
	of.changes = append(of.changes, change)
}

func (r *Replay) path(path string) string {
	known, ok := r.paths[path]
	if !ok {
		known = path
		r.paths[path] = path
	}
	return known
}

// at rebuilds a version.
func (r *Replay) at(of *versions, i int) (object map[string]any, err error) {
	for n := of.from(i); n <= i; n++ {
		if object, err = r.next(of, n, object); err != nil {
			return nil, err
		}
	}
	return object, nil
}

// from is the index of the version from which a version is rebuilt: the next one before it that is known, or that depends on no other.
func (of *versions) from(i int) int {
	for i != of.latest && of.list[i].whole == nil && !of.list[i].begins {
		i--
	}
	return i
}

// next is the object of a version. previous is that of the version before, if it is needed.
func (r *Replay) next(of *versions, i int, previous map[string]any) (object map[string]any, err error) {
	v := &of.list[i]
	switch {
	case i == of.latest:
		return of.object, nil
	case v.whole != nil || v.gone:
		return v.whole, nil
	}
	filled := v
	if v.outlined {
		if filled, err = r.read(*v, of.of); err != nil {
			return nil, err
		}
	}
	if object, err = filled.object(previous); err != nil {
		return nil, err
	}
	if i%wholeEvery == wholeEvery-1 {
		v.whole = object
	}
	return object, nil
}

// object is the object of a version. previous is that of the version before.
func (v *version) object(previous map[string]any) (map[string]any, error) {
	if v.gone {
		return nil, nil
	}
	var object any
	var err error
	if v.changes == nil {
		object, err = diff.Decode(v.created)
	} else {
		object, err = diff.Apply(previous, v.changes)
	}
	if err != nil {
		return nil, err
	}
	m, ok := object.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the object is not a JSON object")
	}
	if metadata, ok := m["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		metadata["resourceVersion"] = strconv.FormatUint(v.rv, 10)
		delete(metadata, "managedFields")
		m = maps.Clone(m)
		m["metadata"] = metadata
	}
	return m, nil
}

// Object is the newest version of an object, or nil if it does not exist.
func (r *Replay) Object(o Object) map[string]any {
	return r.find(o, func(of *versions) int { return len(of.list) - 1 })
}

// ObjectAt is an object as it was after the record seq, or nil if it did not exist.
func (r *Replay) ObjectAt(o Object, seq int64) map[string]any {
	return r.find(o, func(of *versions) int { return of.before(seq) })
}

// ObjectVersion is an object after the write with this resourceVersion, or nil if no write of the object has it or the
// write deleted the object. A request may write an object twice; a watch reports both.
func (r *Replay) ObjectVersion(o Object, rv uint64) map[string]any {
	return r.find(o, func(of *versions) int { return of.revision(rv) })
}

// find is a version of an object, or nil if there is none.
func (r *Replay) find(o Object, which func(*versions) int) map[string]any {
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.versionsOf(o)
	if of == nil {
		return nil
	}
	i := which(of)
	if i < 0 {
		return nil
	}
	object, err := r.at(of, i)
	if err != nil {
		r.fail(of, i, err)
	}
	of.latest, of.object = i, object
	return object
}

// fail ends with the error of a version that cannot be rebuilt.
func (r *Replay) fail(of *versions, i int, err error) {
	if r.Written != nil {
		r.Written.Fail(of.list[i].seq, err)
	}
	panic("trace: a version of an object that was rebuilt before: " + err.Error())
}

// revision is the index of the version that a write with this resourceVersion made, or -1.
func (of *versions) revision(rv uint64) int {
	i, found := slices.BinarySearchFunc(of.list, rv, func(v version, rv uint64) int { return cmp.Compare(v.rv, rv) })
	if !found {
		return -1
	}
	return i
}

// before is the index of the version after the record seq, or -1.
func (of *versions) before(seq int64) int {
	i, _ := slices.BinarySearchFunc(of.list, seq+1, func(v version, seq int64) int { return cmp.Compare(v.seq, seq) })
	return i - 1
}

// Objects lists the objects of a resource that existed after the record seq, by namespace and name.
func (r *Replay) Objects(resource string, seq int64) []Object {
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.existenceOf(resource)
	if of == nil {
		return nil
	}
	return of.at(seq)
}

// Resources lists the resources of which the recording has objects.
func (r *Replay) Resources() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var resources []string
	if r.Written != nil {
		resources = r.Written.Resources()
	}
	for o := range r.versions {
		resources = append(resources, o.Resource)
	}
	slices.Sort(resources)
	return slices.Compact(resources)
}
