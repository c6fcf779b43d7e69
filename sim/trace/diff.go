package trace

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Diff lists the fields in which two objects of one type differ, by their JSON names, in the order of the
// type's fields (map keys sorted). metadata.resourceVersion and metadata.managedFields are left out: the
// first always differs, the second only repeats what changed.
func Diff(before, after any) []Change {
	d := &differ{}
	d.walk("", reflect.ValueOf(before), reflect.ValueOf(after))
	return d.changes
}

type differ struct{ changes []Change }

var marshaler = reflect.TypeFor[json.Marshaler]()

func (d *differ) walk(path string, a, b reflect.Value) {
	if path == "metadata.resourceVersion" || path == "metadata.managedFields" {
		return
	}
	if !a.IsValid() || !b.IsValid() || isLeaf(a.Type()) {
		d.leaf(path, a, b)
		return
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			d.leaf(path, a, b)
			return
		}
		d.walk(path, a.Elem(), b.Elem())
	case reflect.Struct:
		d.fields(path, a, b)
	case reflect.Slice:
		d.list(path, a, b)
	case reflect.Map:
		d.keys(path, a, b)
	default:
		d.leaf(path, a, b)
	}
}

// isLeaf says whether a value is compared as a whole: numbers and strings, and what knows how to write
// itself, such as a timestamp, a quantity or an int-or-string.
func isLeaf(t reflect.Type) bool {
	return t.Kind() == reflect.Interface || t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler) ||
		t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

func (d *differ) fields(path string, a, b reflect.Value) {
	for i := range a.NumField() {
		field := a.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || field.PkgPath != "" && !field.Anonymous:
			continue
		case name == "" && field.Anonymous:
			d.walk(path, a.Field(i), b.Field(i))
			continue
		case name == "":
			name = field.Name
		}
		d.walk(join(path, name), a.Field(i), b.Field(i))
	}
}

func (d *differ) list(path string, a, b reflect.Value) {
	if a.Len() != b.Len() && (a.Len() == 0 || b.Len() == 0) {
		d.leaf(path, a, b)
		return
	}
	for i := range max(a.Len(), b.Len()) {
		var x, y reflect.Value
		if i < a.Len() {
			x = a.Index(i)
		}
		if i < b.Len() {
			y = b.Index(i)
		}
		d.walk(path+"["+strconv.Itoa(i)+"]", x, y)
	}
}

func (d *differ) keys(path string, a, b reflect.Value) {
	names := map[string]reflect.Value{}
	for _, m := range []reflect.Value{a, b} {
		for _, key := range m.MapKeys() {
			names[fmt.Sprint(key.Interface())] = key
		}
	}
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)
	for _, name := range sorted {
		d.walk(join(path, name), a.MapIndex(names[name]), b.MapIndex(names[name]))
	}
}

func (d *differ) leaf(path string, a, b reflect.Value) {
	old, new := raw(a), raw(b)
	if string(old) != string(new) {
		d.changes = append(d.changes, Change{Path: path, Old: old, New: new})
	}
}

// raw is the value as JSON, or nothing when it is absent or zero: Kubernetes omits empty fields.
func raw(v reflect.Value) json.RawMessage {
	if !v.IsValid() || v.IsZero() && v.Kind() != reflect.Int32 && v.Kind() != reflect.Int64 && v.Kind() != reflect.Bool ||
		(v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0 {
		return nil
	}
	data, err := json.Marshal(v.Interface())
	if err != nil || string(data) == "null" {
		return nil
	}
	return data
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func join(path, name string) string {
	switch {
	case !plainName.MatchString(name):
		return path + "[" + strconv.Quote(name) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

// Seconds prints a virtual time as the trace does: seconds with three digits behind the point.
func Seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) + "s"
}
