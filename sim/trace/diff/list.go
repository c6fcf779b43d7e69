package diff

import (
	"encoding/json"
	"reflect"
	"slices"
)

// listRule says how the elements of a list are distinguished: by a field, by themselves (a set), or, with neither, by
// their index.
type listRule struct {
	key string
	set bool
}

func (d *differ) list(rule listRule, s *shape, a, b reflect.Value) {
	if a.Len() == 0 || b.Len() == 0 {
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			d.leaf(a, b)
		}
		return
	}
	if s.elem.form == formDynamic {
		rule = d.guess(a, b)
	}
	if rule.key != "" || rule.set {
		before, ok := rule.keys(s.elem, a)
		after, okAfter := rule.keys(s.elem, b)
		if ok && okAfter {
			d.keyed(rule, s, a, b, before, after)
			return
		}
	}
	for i := range max(a.Len(), b.Len()) {
		d.enter(Step{Kind: Index, Index: i})
		switch {
		case i >= a.Len():
			d.change(nil, raw(b.Index(i)))
		case i >= b.Len():
			d.change(raw(a.Index(i)), nil)
		default:
			d.walk(s.elem, a.Index(i), b.Index(i))
		}
		d.leave()
	}
}

// guess finds a rule for a list whose type has none, as in custom resources.
func (d *differ) guess(a, b reflect.Value) listRule {
	if len(d.path) == 2 && d.path[0].Name == "metadata" && d.path[1].Name == "finalizers" {
		return listRule{set: true}
	}
	for _, key := range []string{"type", "name", "uid", "ip"} {
		if hasField(a.Index(0), key) && hasField(b.Index(0), key) {
			return listRule{key: key}
		}
	}
	return listRule{}
}

func hasField(element reflect.Value, name string) bool {
	m, _ := element.Interface().(map[string]any)
	return m[name] != nil
}

// keyed compares two lists element by element: removed, kept and added elements, and the order if it is not that of
// removing elements and adding others at the end.
func (d *differ) keyed(rule listRule, s *shape, a, b reflect.Value, before, after []string) {
	order := make([]string, 0, len(after))
	for i, key := range before {
		j := indexOf(after, key, i)
		d.enter(Step{Kind: Element, Name: rule.key, Value: key})
		switch {
		case j < 0:
			d.change(raw(a.Index(i)), nil)
		case !rule.set:
			d.walk(s.elem, a.Index(i), b.Index(j))
		}
		d.leave()
		if j >= 0 {
			order = append(order, key)
		}
	}
	for j, key := range after {
		if indexOf(before, key, j) < 0 {
			order = append(order, key)
			d.enter(Step{Kind: Element, Name: rule.key, Value: key})
			d.change(nil, raw(b.Index(j)))
			d.leave()
		}
	}
	if !slices.Equal(order, after) {
		d.enter(Step{Kind: Order, Name: rule.key})
		d.change(printKeys(before), printKeys(after))
		d.leave()
	}
}

// indexOf finds a key, first at the likely index.
func indexOf(keys []string, key string, likely int) int {
	if likely < len(keys) && keys[likely] == key {
		return likely
	}
	return slices.Index(keys, key)
}

func printKeys(keys []string) json.RawMessage {
	data, err := json.Marshal(keys)
	if err != nil {
		panic("diff: strings do not marshal: " + err.Error())
	}
	return data
}

// keys are the keys of a list's elements, and whether they are unique.
func (r listRule) keys(elem *shape, list reflect.Value) ([]string, bool) {
	keys := make([]string, 0, list.Len())
	for i := range list.Len() {
		key, ok := r.keyOf(elem, list.Index(i))
		if !ok || key == "" {
			return nil, false
		}
		keys = append(keys, key)
	}
	return keys, areDistinct(keys)
}

func areDistinct(keys []string) bool {
	if len(keys) > 16 {
		seen := make(map[string]bool, len(keys))
		for _, key := range keys {
			seen[key] = true
		}
		return len(seen) == len(keys)
	}
	for i, key := range keys {
		if slices.Contains(keys[:i], key) {
			return false
		}
	}
	return true
}

func (r listRule) keyOf(elem *shape, v reflect.Value) (string, bool) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return "", false
		}
		if elem.form == formPointer {
			elem = elem.elem
		}
		v = v.Elem()
	}
	switch {
	case r.set:
		return v.String(), v.Kind() == reflect.String
	case elem.form == formStruct:
		for i := range elem.fields {
			if elem.fields[i].name == r.key && elem.fields[i].shape.form == formScalar {
				return scalarText(v.Field(elem.fields[i].index))
			}
		}
	case v.Kind() == reflect.Map:
		if m, ok := v.Interface().(map[string]any); ok {
			return scalarText(reflect.ValueOf(m[r.key]))
		}
	}
	return "", false
}

// scalarText is a key in the format of a path: strings without quotes, anything else as in JSON.
func scalarText(v reflect.Value) (string, bool) {
	if v.Kind() == reflect.String {
		return v.String(), true
	}
	if !v.IsValid() || formOf(v.Type()) != formScalar {
		return "", false
	}
	return string(raw(v)), true
}
