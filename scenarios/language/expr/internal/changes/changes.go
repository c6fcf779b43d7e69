// Package changes finds what requests changed: in each record the fields of the object that the request names, with their
// values before and after, and the object that it created. Conditions read it through package expr.
//
//	path, err := changes.Path(kind, "spec.replicas")
//	for _, change := range changes.In(record, kind, path) {
//		fmt.Println(change.Path, change.Old, "->", change.New) // spec.replicas 3 -> 4
//	}
//
// The values of Secrets are redacted, so that what depends on a change is the same whether a run shows Secrets or not.
package changes

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// Change is a field that a request changed.
type Change struct {
	// Object is the one whose field it is.
	Object trace.Object
	// Path is the field, as in the trace: status.conditions[type=Available].status.
	Path string
	// Old and New are its values before and after, nil if it was or is absent. An absent number, text or bool that is not
	// optional is 0, "" or false, as in the object.
	Old, New *Value
}

// Value is a value whose type depends on the field.
type Value struct{ Of any }

// String is the value as JSON, and "absent" for none.
func (v *Value) String() string {
	if v == nil {
		return "absent"
	}
	text, err := json.Marshal(v.Of)
	if err != nil {
		return "?"
	}
	return string(text)
}

// names reports whether a write is one of the object that its request names. A request may write others: the address of a
// Service, for example.
func names(r *trace.Record, w *trace.Write) bool {
	return w.Resource == r.Request.Resource && (r.Request.Name == "" || r.Request.Name == w.Name)
}

// Created is the object that a request created, as JSON; nil if it created none.
func Created(r *trace.Record) json.RawMessage {
	r = trace.Redacted(r)
	for i := range r.Request.Writes {
		if w := &r.Request.Writes[i]; w.Op == trace.OpCreate && names(r, w) {
			return w.New
		}
	}
	return nil
}

// HasAny reports whether a request changed a field.
func HasAny(r *trace.Record) bool {
	return slices.ContainsFunc(r.Request.Writes, func(w trace.Write) bool { return len(w.Changes) > 0 && names(r, &w) })
}

// In lists the changes of a request to an object of a kind, which may be nil. With a path, it lists those of the field at the
// path and of what is in it, and the part of the field in what was replaced as a whole.
func In(r *trace.Record, kind *kinds.Kind, path []diff.Step) (list []Change) {
	r = trace.Redacted(r)
	for i := range r.Request.Writes {
		w := &r.Request.Writes[i]
		if !names(r, w) {
			continue
		}
		for _, c := range w.Changes {
			if change, ok := of(kind, c, path); ok {
				change.Object = w.Object
				list = append(list, change)
			}
		}
	}
	return list
}

// of reports whether a change is one of the field at a path.
func of(kind *kinds.Kind, c diff.Change, path []diff.Step) (Change, bool) {
	steps, err := diff.ParsePath(c.Path)
	if err != nil {
		return Change{}, false
	}
	if common := min(len(path), len(steps)); !slices.Equal(path[:common], steps[:common]) {
		return Change{}, false
	}
	change := Change{Path: c.Path, Old: decode(c.Old), New: decode(c.New)}
	if len(path) > len(steps) {
		rest := path[len(steps):]
		change = Change{Path: diff.PrintPath(path), Old: change.Old.at(rest), New: change.New.at(rest)}
		if reflect.DeepEqual(change.Old, change.New) {
			return Change{}, false
		}
		steps = path
	}
	if change.Old == nil {
		change.Old = absent(kind, steps)
	}
	if change.New == nil {
		change.New = absent(kind, steps)
	}
	return change, true
}

func decode(raw json.RawMessage) *Value {
	if len(raw) == 0 {
		return nil
	}
	value, err := diff.Decode(raw)
	if err != nil {
		return nil
	}
	return &Value{value}
}

// at is the part of a value at a path; nil if there is none.
func (v *Value) at(path []diff.Step) *Value {
	if v == nil {
		return nil
	}
	value, found := diff.At(v.Of, path)
	if !found {
		return nil
	}
	return &Value{value}
}
