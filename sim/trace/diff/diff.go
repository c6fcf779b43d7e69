// Package diff finds the fields in which two versions of an object differ, and computes the second version from the
// first and the changes: Apply(before, Objects(before, after)) is after. So a trace holds an object once, and then what
// each write changed.
//
//	spec.replicas                                 3 -> 4
//	status.conditions[type=Available].status      "False" -> "True"
//	metadata.annotations["example.com/owner"]     (absent) -> "kate"
//
// structured-merge-diff compares typed objects, too, by the schema of managed fields. This package needs only the Go
// type, keeps the order of lists, and is fast enough to run on every write.
package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// Change is one field that an update changed. A missing Old or New means that the field was absent.
type Change struct {
	// Path is as in kubectl explain, with list indices and quoted keys where needed:
	// spec.template.spec.containers[0].image, metadata.annotations["a/b"].
	Path string          `json:"path"`
	Old  json.RawMessage `json:"old,omitempty"`
	New  json.RawMessage `json:"new,omitempty"`
}

// Objects lists the fields in which two objects of one type differ, by their JSON names, in the order of the type's
// fields (map keys sorted). Old and New are exactly the JSON values of the two objects, so that the changes applied to
// the first give the second (see Apply). metadata.resourceVersion and metadata.managedFields are omitted: the first
// always differs, the second only repeats what changed.
//
// The elements of a list are distinguished by the merge key that upstream's types name for it, conditions by their type
// and containers by their name; see the grammar of paths at type Step.
func Objects(before, after any) []Change {
	d := &differ{path: make([]Step, 0, 16)}
	a, b := content(before), content(after)
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
		d.leaf(a, b)
	} else {
		d.walk(shapeOf(a.Type()), a, b)
	}
	return d.changes
}

// content is the comparable content of an object: an Unstructured hides its map.
func content(object any) reflect.Value {
	if o, ok := object.(interface{ UnstructuredContent() map[string]any }); ok {
		return reflect.ValueOf(o.UnstructuredContent())
	}
	v := reflect.ValueOf(object)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

type differ struct {
	changes []Change
	path    []Step
}

func (d *differ) enter(s Step) { d.path = append(d.path, s) }
func (d *differ) leave()       { d.path = d.path[:len(d.path)-1] }

func (d *differ) walk(s *shape, a, b reflect.Value) {
	switch s.form {
	case formPointer:
		if !a.IsNil() && !b.IsNil() {
			d.walk(s.elem, a.Elem(), b.Elem())
			return
		}
		if a.IsNil() && b.IsNil() {
			return
		}
	case formStruct:
		d.fields(s, a, b)
		return
	case formList:
		d.list(listRule{key: s.key}, s, a, b)
		return
	case formMap:
		d.entries(s, a, b)
		return
	case formDynamic:
		if x, y := a.Elem(), b.Elem(); x.IsValid() && y.IsValid() && x.Type() == y.Type() {
			d.walk(shapeOf(x.Type()), x, y)
			return
		}
	case formScalar:
		if equalScalars(a, b) {
			return
		}
	case formOpaque:
		if s.comparable && a.Equal(b) {
			return
		}
	}
	d.leaf(a, b)
}

func equalScalars(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.String:
		return a.String() == b.String()
	case reflect.Bool:
		return a.Bool() == b.Bool()
	}
	return a.Equal(b)
}

// fields compares two structs. Either may be missing when it is embedded by a pointer.
func (d *differ) fields(s *shape, a, b reflect.Value) {
	inMetadata := len(d.path) == 1 && d.path[0].Name == "metadata"
	for i := range s.fields {
		f := &s.fields[i]
		if inMetadata && isUnrecorded(f.name) {
			continue
		}
		var x, y reflect.Value
		if a.IsValid() {
			x = a.Field(f.index)
		}
		if b.IsValid() {
			y = b.Field(f.index)
		}
		if f.inline {
			d.embedded(f.shape, x, y)
			continue
		}
		d.enter(Step{Kind: Field, Name: f.name})
		d.field(f, x, y)
		d.leave()
	}
}

func isUnrecorded(metadata string) bool {
	return metadata == "resourceVersion" || metadata == "managedFields"
}

func (d *differ) embedded(s *shape, a, b reflect.Value) {
	if s.form == formPointer {
		s, a, b = s.elem, a.Elem(), b.Elem()
	}
	if a.IsValid() || b.IsValid() {
		d.fields(s, a, b)
	}
}

// field compares a field that may be absent on one side.
func (d *differ) field(f *fieldShape, a, b reflect.Value) {
	noA, noB := f.isAbsent(a), f.isAbsent(b)
	switch {
	case noA && noB:
	case noA && f.shape.form == formMap && b.Len() > 0:
		// The keys of a new map are listed one by one; the removal of a map is one change.
		d.entries(f.shape, reflect.Zero(b.Type()), b)
	case noA:
		d.change(nil, raw(b))
	case noB:
		d.change(raw(a), nil)
	case f.shape.form == formList && (f.key != "" || f.set):
		d.list(listRule{f.key, f.set}, f.shape, a, b)
	default:
		d.walk(f.shape, a, b)
	}
}

// entries compares two maps.
func (d *differ) entries(s *shape, a, b reflect.Value) {
	if b.Len() == 0 {
		d.leaf(a, b)
		return
	}
	type entry struct {
		name string
		key  reflect.Value
	}
	var keys []entry
	for _, m := range []reflect.Value{a, b} {
		for _, key := range m.MapKeys() {
			if m == a || !a.MapIndex(key).IsValid() {
				keys = append(keys, entry{keyText(key), key})
			}
		}
	}
	slices.SortFunc(keys, func(x, y entry) int { return cmp.Compare(x.name, y.name) })
	for _, k := range keys {
		if len(d.path) == 1 && d.path[0].Name == "metadata" && isUnrecorded(k.name) {
			continue
		}
		x, y := a.MapIndex(k.key), b.MapIndex(k.key)
		d.enter(Step{Kind: Field, Name: k.name})
		if x.IsValid() && y.IsValid() {
			d.walk(s.elem, x, y)
		} else {
			d.change(raw(x), raw(y))
		}
		d.leave()
	}
}

func keyText(key reflect.Value) string {
	if key.Kind() == reflect.String {
		return key.String()
	}
	return fmt.Sprint(key.Interface())
}

// leaf compares two values as a whole.
func (d *differ) leaf(a, b reflect.Value) {
	old, new := raw(a), raw(b)
	if string(old) != string(new) {
		d.change(old, new)
	}
}

func (d *differ) change(old, new json.RawMessage) {
	d.changes = append(d.changes, Change{Path: PrintPath(d.path), Old: old, New: new})
}

// raw is a value as JSON, or nothing for an absent one.
func raw(v reflect.Value) json.RawMessage {
	if !v.IsValid() {
		return nil
	}
	if v.CanInt() && v.Type().PkgPath() == "" {
		return strconv.AppendInt(nil, v.Int(), 10)
	}
	// A method on the pointer applies wherever encoding/json can reach it.
	if v.CanAddr() && v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
		v = v.Addr()
	}
	data, err := json.Marshal(v.Interface())
	if err != nil {
		panic("diff: a field does not marshal: " + err.Error())
	}
	return data
}
