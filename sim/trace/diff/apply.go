package diff

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Apply returns the object with the changes of Diff; it does not modify the object.
func Apply(object any, changes []Change) (any, error) {
	for i := range changes {
		c := &changes[i]
		steps, err := ParsePath(c.Path)
		if err != nil {
			return nil, err
		}
		var value any
		if c.New != nil {
			if value, err = Decode(c.New); err != nil {
				return nil, fmt.Errorf("%s: %w", c.Path, err)
			}
		}
		if object, err = put(object, steps, value, c.New == nil); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Path, err)
		}
	}
	return object, nil
}

var errNoElement = errors.New("no such element")

// put returns node with the value at the end of the steps set or, if gone, removed.
func put(node any, steps []Step, value any, gone bool) (any, error) {
	if len(steps) == 0 {
		return value, nil
	}
	s := steps[0]
	if s.Kind == Field {
		m, ok := node.(map[string]any)
		if !ok && node != nil {
			return nil, fmt.Errorf("%q is a field of a value without fields", s.Name)
		}
		return putField(m, s.Name, steps[1:], value, gone)
	}
	list, ok := node.([]any)
	if !ok && node != nil {
		return nil, errors.New("an element of a value that is not a list")
	}
	switch s.Kind {
	case Index:
		return putIndex(list, s.Index, steps[1:], value, gone)
	case Order:
		return reorder(list, s.Name, value)
	}
	i := slices.IndexFunc(list, func(element any) bool { return hasKey(element, s.Name, s.Value) })
	switch {
	case i < 0 && (gone || len(steps) > 1):
		return nil, errNoElement
	case i < 0:
		return append(slices.Clip(list), value), nil
	case gone && len(steps) == 1:
		return slices.Delete(slices.Clone(list), i, i+1), nil
	}
	return putIndex(list, i, steps[1:], value, gone)
}

func putField(m map[string]any, name string, rest []Step, value any, gone bool) (any, error) {
	if m = maps.Clone(m); m == nil {
		m = map[string]any{}
	}
	if len(rest) == 0 && gone {
		delete(m, name)
		return m, nil
	}
	child, err := put(m[name], rest, value, gone)
	if err != nil {
		return nil, err
	}
	m[name] = child
	return m, nil
}

func putIndex(list []any, i int, rest []Step, value any, gone bool) (any, error) {
	switch {
	case len(rest) == 0 && gone:
		return slices.Clip(list[:min(i, len(list))]), nil
	case len(rest) == 0 && i == len(list):
		return append(slices.Clip(list), value), nil
	case i >= len(list):
		return nil, errNoElement
	}
	child, err := put(list[i], rest, value, gone)
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	list[i] = child
	return list, nil
}

// reorder sorts a keyed list by the list of its keys.
func reorder(list []any, name string, order any) (any, error) {
	keys, ok := order.([]any)
	if !ok || len(keys) != len(list) {
		return nil, errors.New("the order does not name every element")
	}
	sorted := make([]any, 0, len(list))
	for _, key := range keys {
		text, _ := key.(string)
		i := slices.IndexFunc(list, func(element any) bool { return hasKey(element, name, text) })
		if i < 0 {
			return nil, errNoElement
		}
		sorted = append(sorted, list[i])
	}
	return sorted, nil
}

// At returns the part of a value at a path, and whether there is one.
func At(value any, steps []Step) (part any, found bool) {
	for _, step := range steps {
		switch of := value.(type) {
		case map[string]any:
			if value, found = of[step.Name]; !found || step.Kind != Field {
				return nil, false
			}
		case []any:
			i := -1
			switch step.Kind {
			case Index:
				i = step.Index
			case Element:
				i = slices.IndexFunc(of, func(element any) bool { return hasKey(element, step.Name, step.Value) })
			}
			if i < 0 || i >= len(of) {
				return nil, false
			}
			value = of[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// hasKey reports whether an element of a list has the key; the elements of a set are their own keys.
func hasKey(element any, name, key string) bool {
	if name == "" {
		return element == any(key)
	}
	m, ok := element.(map[string]any)
	if !ok {
		return false
	}
	switch v := m[name].(type) {
	case string:
		return v == key
	case nil:
		return false
	default:
		data, err := json.Marshal(v)
		return err == nil && string(data) == key
	}
}

// Decode decodes JSON, with whole numbers as int64.
func Decode(data json.RawMessage) (any, error) {
	if value, ok := plain(data); ok {
		return value, nil
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return plainNumbers(value), nil
}

// plain decodes the values that nearly all changes have: short whole numbers, booleans, and printable ASCII texts.
func plain(data json.RawMessage) (any, bool) {
	const digits = 15
	switch {
	case len(data) == 0:
		return nil, false
	case data[0] == '"':
		if len(data) == 1 {
			return nil, false
		}
		for _, c := range data[1 : len(data)-1] {
			if c < ' ' || c > '~' || c == '\\' || c == '"' {
				return nil, false
			}
		}
		return string(data[1 : len(data)-1]), data[len(data)-1] == '"'
	case string(data) == "true", string(data) == "false":
		return data[0] == 't', true
	case len(data) > digits, data[0] == '0' && len(data) > 1:
		return nil, false
	}
	var n int64
	for _, c := range data {
		if c < '0' || c > '9' {
			return nil, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, true
}

func plainNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case map[string]any:
		for key := range v {
			v[key] = plainNumbers(v[key])
		}
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	}
	return value
}
