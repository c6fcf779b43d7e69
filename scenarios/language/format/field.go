package format

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// field is what the tags of types.go say about one field of the format.
type field struct {
	name     string
	index    int
	typ      reflect.Type
	doc      string
	example  string
	required bool
	verb     bool
	cel      string   // "", true, wait or from
	short    bool     // a scalar in place of the mapping is this field
	oneOf    bool     // one of the fields with this tag must be there
	needs    string   // a field that must be there, too
	isName   bool     // a DNS-1123 label
	isObject bool     // a free-form mapping
	enum     []string // allowed values, nil for any
	min, max *int64
	// floor is the shortest period of what happens again and again; 0s, where it has a meaning, is below it and allowed.
	floor time.Duration
}

var fieldCache sync.Map // reflect.Type -> []field

// fieldsOf lists the fields of a struct of the format in the order of the source.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]field)
	}
	var fields []field
	for i := range t.NumField() {
		sf := t.Field(i)
		name, _, _ := strings.Cut(sf.Tag.Get("yaml"), ",")
		if name == "" || name == "-" {
			continue
		}
		fields = append(fields, field{
			name:     name,
			index:    i,
			typ:      sf.Type,
			doc:      sf.Tag.Get("doc"),
			example:  sf.Tag.Get("example"),
			required: sf.Tag.Get("required") == "true",
			cel:      sf.Tag.Get("cel"),
			short:    sf.Tag.Get("short") == "true",
			oneOf:    sf.Tag.Get("oneOf") == "true",
			needs:    sf.Tag.Get("needs"),
			isName:   sf.Tag.Get("format") == "name",
			isObject: sf.Tag.Get("format") == "mapping",
			enum:     notation.EnumValues(sf.Tag.Get("enum")),
			min:      boundOf(sf.Tag, "min"),
			max:      boundOf(sf.Tag, "max"),
			floor:    floorOf(sf.Tag),
		})
	}
	fieldCache.Store(t, fields)
	return fields
}

// fieldNamed finds a field by its name in YAML.
func fieldNamed(t reflect.Type, name string) (field, bool) { return named(fieldsOf(t), name) }

func named(fields []field, name string) (field, bool) {
	for _, f := range fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

// shortField is the field that a scalar in place of a mapping means.
func shortField(t reflect.Type) (field, bool) {
	for _, f := range fieldsOf(t) {
		if f.short {
			return f, true
		}
	}
	return field{}, false
}

// fieldNames are the names of a struct's fields in YAML.
func fieldNames(t reflect.Type) []string { return namesOf(fieldsOf(t)) }

func namesOf(fields []field) []string {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	return names
}

// valueType is what a field holds, behind its pointers.
func valueType(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// floorOf reads the tag floor, as floor:"100ms".
func floorOf(tag reflect.StructTag) time.Duration {
	text, ok := tag.Lookup("floor")
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		panic("format: a floor in a struct tag must be a duration, not " + text)
	}
	return d
}

func boundOf(tag reflect.StructTag, name string) *int64 {
	text, ok := tag.Lookup(name)
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic("format: a bound in a struct tag must be a number, not " + text)
	}
	return &n
}
