package scenarios

import (
	"fmt"
	"reflect"
)

// StepPath is the field path of a step: StepPath(2) is spec.steps[2].
func StepPath(i int) string { return fmt.Sprintf("spec.steps[%d]", i) }

// Verbs lists the verbs of a step in the order of the reference.
func Verbs() []string {
	var verbs []string
	for _, f := range fieldsOf(reflect.TypeFor[Step]()) {
		if f.verb {
			verbs = append(verbs, f.name)
		}
	}
	return verbs
}

// Verb names what the step does: apply, set-image and so on. It is empty for a step without a verb,
// which the loader does not let through.
func (s Step) Verb() string {
	v := reflect.ValueOf(s)
	for _, f := range fieldsOf(v.Type()) {
		if f.verb && !v.Field(f.index).IsZero() {
			return f.name
		}
	}
	return ""
}

// Sends tells whether the step sends a request, and so can be refused.
func (s Step) Sends() bool {
	f, ok := fieldNamed(reflect.TypeFor[Step](), s.Verb())
	return ok && f.request
}
