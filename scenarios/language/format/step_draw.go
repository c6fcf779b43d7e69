package format

import (
	"reflect"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// SpanField is the index of a verb's field with a duration, by its name in YAML; -1 if there is none.
func SpanField(v Verb, name string) int {
	t := reflect.TypeOf(v).Elem()
	if t.Kind() != reflect.Struct {
		return -1
	}
	if f, found := fieldNamed(t, name); found && f.typ == reflect.TypeFor[*notation.Duration]() {
		return f.index
	}
	return -1
}

// SizeField is the index of a verb's field with a number, by its name in YAML; -1 if there is none.
func SizeField(v Verb, name string) int {
	t := reflect.TypeOf(v).Elem()
	if t.Kind() != reflect.Struct {
		return -1
	}
	if f, found := fieldNamed(t, name); found && reflect.New(valueType(f.typ)).Elem().CanInt() {
		return f.index
	}
	return -1
}

// stepDraw checks what is drawn of a step.
func (v *validator) stepDraw(path string, step Step) {
	d, word := step.Draw, step.Verb.Keyword()
	if d == nil || v.failed[path+".draw"] {
		return
	}
	if *d == (notation.StepDraw{}) {
		v.fail(path+".draw", "at: 20s..40s", "draw needs at least one range")
	}
	if d.At != nil && (d.After != nil || step.After != nil) || d.After != nil && step.At != nil {
		v.fail(path+".draw", "remove one of them", "a step has at or after, not both")
	}
	for _, span := range []notation.Span{{Name: "at", Of: d.At}, {Name: "after", Of: d.After}} {
		if at := path + "." + span.Name; span.Of != nil && v.has(at) {
			v.fail(source.Join(path+".draw", span.Name), "remove one of them", "%s is already set by %s", span.Name, at)
		}
		if span.Of != nil && span.Of.Never {
			v.fail(source.Join(path+".draw", span.Name), "20s..40s", "must be a range of times, not never")
		}
	}
	switch {
	case d.Restart == nil:
	case d.Restart.Never || d.Restart.Min == 0:
		v.fail(path+".draw."+notation.RestartAfter, "1s..30s", "must be a range of times that are longer than 0s, and not never")
	case SpanField(step.Verb, notation.RestartAfter) < 0:
		v.fail(path+".draw."+notation.RestartAfter, "remove the line", "%s has no field %s", word, notation.RestartAfter)
	case v.has(path + "." + word + "." + notation.RestartAfter):
		v.fail(path+".draw."+notation.RestartAfter, "remove one of them",
			"%s is already set by %s", notation.RestartAfter, path+"."+word+"."+notation.RestartAfter)
	}
	for _, size := range d.Sizes() {
		manifests := size.Name == "replicas" && (word == "create" || word == "apply")
		if size.Of != nil && !manifests && SizeField(step.Verb, size.Name) < 0 {
			v.fail(source.Join(path+".draw", size.Name), "remove the line", "%s has no field %s", word, size.Name)
		}
	}
}

// earliest is a time of a step, or the earliest one that may be drawn.
func earliest(said *notation.Duration, drawn *notation.Delay) *notation.Duration {
	if drawn != nil && !drawn.Never {
		return &notation.Duration{Duration: drawn.Min}
	}
	return said
}
