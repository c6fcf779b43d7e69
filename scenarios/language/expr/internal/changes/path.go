package changes

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// Path reads the path of a field of a kind. Its error says which part is wrong: a field that does not exist would never change.
func Path(kind *kinds.Kind, text string) ([]diff.Step, error) {
	if text == "" {
		return nil, errors.New("the path is empty; write 'spec.replicas'")
	}
	if field, isJSONPath := strings.CutPrefix(text, "."); isJSONPath {
		return nil, fmt.Errorf("the path begins with a dot; write '%s'", field)
	}
	path, err := diff.ParsePath(text)
	if err != nil {
		return nil, err
	}
	_, err = typeAt(kind, path)
	return path, err
}

// absent is what an absent field reads as: a number, a text or a bool that is not optional is always there.
func absent(kind *kinds.Kind, path []diff.Step) *Value {
	t, err := typeAt(kind, path)
	if err != nil || t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int32, reflect.Int64:
		return &Value{int64(0)}
	case reflect.Bool:
		return &Value{false}
	case reflect.String:
		return &Value{""}
	}
	return nil
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// typeAt is the Go type of a field. It is nil for a kind without a Go type, for what such a type leaves open, and for elements
// of maps and lists, which exist or not whatever their type is.
func typeAt(kind *kinds.Kind, path []diff.Step) (reflect.Type, error) {
	t := goType(kind)
	for i, step := range path {
		for t != nil && t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t == nil || reflect.PointerTo(t).Implements(marshaler) {
			return nil, nil
		}
		before, last := diff.PrintPath(path[:i]), i == len(path)-1
		switch form := t.Kind(); {
		case form == reflect.Struct && step.Kind == diff.Field:
			below, err := fieldType(t, step.Name)
			if err != nil {
				return nil, err
			}
			t = below
		case form == reflect.Slice && step.Kind == diff.Field:
			return nil, fmt.Errorf("'%s' is a list; name an element, as in [0] or [type=Available]", before)
		case form == reflect.Map && step.Kind == diff.Field, form == reflect.Slice:
			if last || step.Kind == diff.Order {
				return nil, nil
			}
			t = t.Elem()
		default:
			return nil, fmt.Errorf("'%s' has no fields", before)
		}
	}
	return t, nil
}

// goType is the type of the objects of a kind; nil if it has none.
func goType(kind *kinds.Kind) reflect.Type {
	if kind == nil {
		return nil
	}
	object, err := manifest.Scheme.New(kind.GroupVersionKind())
	if err != nil {
		return nil
	}
	return reflect.TypeOf(object)
}

// fieldType is the type of a field by its JSON name.
func fieldType(t reflect.Type, name string) (reflect.Type, error) {
	var known []string
	for _, f := range reflect.VisibleFields(t) {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == name {
			return f.Type, nil
		}
		if tag != "" && tag != "-" {
			known = append(known, tag)
		}
	}
	text := fmt.Sprintf("no such field %s in %s", name, t.Name())
	if near := spelling.Nearest(name, known); near != "" {
		text += "; did you mean " + near + "?"
	}
	return nil, errors.New(text)
}
