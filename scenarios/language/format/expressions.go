package format

import (
	"reflect"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Expression is a text of the scenario that is, or may be, CEL.
type Expression struct {
	Path, Text string
	Form       Form
	// Resource is that of the object, for ObjectForm; empty if it can be any.
	Resource string
}

// Form is the kind of an expression, as in the tag cel.
type Form string

const (
	// AlwaysCEL is always CEL.
	AlwaysCEL Form = "true"
	// WaitForm is parsed by notation.ParseWait.
	WaitForm Form = "waitFor"
	// FromForm is the start of a check, which may be FirstAvailable.
	FromForm Form = "from"
	// ObjectForm is CEL about the variable object.
	ObjectForm Form = "object"
)

// Expressions lists the expressions in the order of the types, without absent ones.
func (s *Scenario) Expressions() []Expression {
	var found []Expression
	for i := range s.Spec.Steps {
		path := StepPath(i)
		found = expressionsOf(found, path, reflect.ValueOf(s.Spec.Steps[i]))
		if verb := s.Spec.Steps[i].Verb; verb != nil {
			found = expressionsOf(found, source.Join(path, verb.Keyword()), reflect.ValueOf(verb).Elem())
		}
	}
	for i := range s.Spec.Futures {
		found = expressionsOf(found, FuturePath(i), reflect.ValueOf(s.Spec.Futures[i]))
	}
	for i := range s.Spec.Faults {
		found = expressionsOf(found, FaultPath(i), reflect.ValueOf(s.Spec.Faults[i]))
	}
	s.EachFault(func(path string, f *FaultRule) {
		if f.Request != nil && f.Request.Where != "" {
			found = append(found, Expression{path + ".request.where", f.Request.Where, ObjectForm, f.Request.Resource})
		}
		if f.Watch != nil && f.Watch.Where != "" {
			found = append(found, Expression{path + ".watch.where", f.Watch.Where, ObjectForm, f.Watch.Resource})
		}
		if f.Kubelet != nil && f.Kubelet.Where != "" {
			found = append(found, Expression{path + ".kubelet.where", f.Kubelet.Where, ObjectForm, "pods"})
		}
	})
	for i := range s.Spec.Checks {
		found = expressionsOf(found, source.Item("spec.checks", i), reflect.ValueOf(s.Spec.Checks[i]))
	}
	return found
}

// expressionsOf adds the fields of a struct with the tag cel.
func expressionsOf(found []Expression, path string, v reflect.Value) []Expression {
	if v.Kind() != reflect.Struct {
		return found
	}
	for _, f := range fieldsOf(v.Type()) {
		if f.cel != "" && v.Field(f.index).String() != "" {
			found = append(found, Expression{Path: source.Join(path, f.name), Text: v.Field(f.index).String(), Form: Form(f.cel)})
		}
	}
	return found
}
