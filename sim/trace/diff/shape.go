package diff

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// shape is the part of a Go type that Diff needs, computed once per type: a Pod has some hundred fields and is compared
// thousands of times in a run.
type shape struct {
	form form
	// comparable means that equal values (==) have equal JSON, so there is no need to encode them.
	comparable bool
	fields     []fieldShape
	// elem is the element type of a pointer, list or map.
	elem *shape
	// key is the field that keys the elements of a list of this type by default.
	key string
}

// form is how a value is compared.
type form uint8

const (
	// formScalar is a bool, a number or a string.
	formScalar form = iota
	// formOpaque is compared by its JSON: types that encode themselves, such as a timestamp or a quantity.
	formOpaque
	formPointer
	formStruct
	formList
	formMap
	// formDynamic is an interface; the form of its value applies.
	formDynamic
)

type fieldShape struct {
	name  string
	index int
	// inline fields belong to the enclosing object.
	inline bool
	// omitempty and omitzero say when the field is absent from the JSON; asks means that the type has an IsZero method.
	omitempty, omitzero, asks bool
	// key is the merge key of a list, and set means that it is a list of names in no particular order.
	key   string
	set   bool
	shape *shape
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	isZeroer      = reflect.TypeFor[interface{ IsZero() bool }]()
)

var shapes = struct {
	sync.Mutex
	known map[reflect.Type]*shape
}{known: map[reflect.Type]*shape{}}

// shapeOf returns the shape of a type. All of it, including recursive types, is built under the lock.
func shapeOf(t reflect.Type) *shape {
	shapes.Lock()
	defer shapes.Unlock()
	return buildShape(t)
}

func buildShape(t reflect.Type) *shape {
	if s := shapes.known[t]; s != nil {
		return s
	}
	s := &shape{form: formOf(t)}
	shapes.known[t] = s
	switch s.form {
	case formOpaque:
		s.comparable = t.Comparable() && !holdsInterface(t)
	case formPointer, formMap:
		s.elem = buildShape(t.Elem())
	case formList:
		s.elem = buildShape(t.Elem())
		s.key = usualKey(s.elem)
	case formStruct:
		s.fields = fieldsOf(t)
	}
	return s
}

// holdsInterface reports whether comparing two values of a type may meet an interface, which can panic.
func holdsInterface(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Array:
		return holdsInterface(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsInterface(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

func formOf(t reflect.Type) form {
	switch {
	case t.Kind() == reflect.Interface:
		return formDynamic
	case t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler),
		t.Implements(textMarshaler) || reflect.PointerTo(t).Implements(textMarshaler):
		if t.Kind() == reflect.Pointer {
			return formPointer
		}
		return formOpaque
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return formScalar
	case reflect.Pointer:
		return formPointer
	case reflect.Struct:
		return formStruct
	case reflect.Map:
		return formMap
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return formList
		}
	}
	return formOpaque
}

func fieldsOf(t reflect.Type) []fieldShape {
	var fields []fieldShape
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" || field.PkgPath != "" && !field.Anonymous {
			continue
		}
		f := fieldShape{name: name, index: i, shape: buildShape(field.Type)}
		if name == "" {
			f.name = field.Name
			f.inline = field.Anonymous && inlines(f.shape)
		}
		for option := range strings.SplitSeq(options, ",") {
			f.omitempty = f.omitempty || option == "omitempty"
			f.omitzero = f.omitzero || option == "omitzero"
		}
		f.asks = field.Type.Implements(isZeroer) || reflect.PointerTo(field.Type).Implements(isZeroer)
		f.key = field.Tag.Get("patchMergeKey")
		f.set = f.key == "" && strings.HasPrefix(field.Tag.Get("patchStrategy"), "merge")
		fields = append(fields, f)
	}
	return fields
}

func inlines(s *shape) bool {
	return s.form == formStruct || s.form == formPointer && s.elem.form == formStruct
}

// isAbsent reports whether the field is absent from the JSON of the enclosing struct.
func (f *fieldShape) isAbsent(v reflect.Value) bool {
	if !v.IsValid() {
		return true
	}
	if f.omitzero && f.isZero(v) {
		return true
	}
	if !f.omitempty {
		return false
	}
	switch v.Kind() {
	case reflect.Struct:
		return false
	case reflect.Slice, reflect.Map, reflect.Array:
		return v.Len() == 0
	}
	return v.IsZero()
}

// isZero calls the value's own method if there is one, as encoding/json does, including one of the pointer.
func (f *fieldShape) isZero(v reflect.Value) bool {
	if !f.asks || v.Kind() == reflect.Pointer && v.IsNil() {
		return v.IsZero()
	}
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	if !v.CanAddr() {
		pointer := reflect.New(v.Type())
		pointer.Elem().Set(v)
		v = pointer.Elem()
	}
	return v.Addr().Interface().(interface{ IsZero() bool }).IsZero()
}

// usualKey is the field that distinguishes the elements of a list whose field has no patchMergeKey. Upstream sets it
// for most lists but not, for example, for containerStatuses. A wrong guess is harmless: a list in which two elements
// have the same key is compared by index.
func usualKey(elem *shape) string {
	for elem.form == formPointer {
		elem = elem.elem
	}
	has := func(name string) bool {
		for i := range elem.fields {
			if elem.fields[i].name == name && elem.fields[i].shape.form == formScalar {
				return true
			}
		}
		return false
	}
	if has("type") && has("status") {
		return "type"
	}
	for _, name := range []string{"name", "uid", "ip"} {
		if has(name) {
			return name
		}
	}
	return ""
}
