package format

import (
	"reflect"
	"strings"

	"github.com/kubestep/kubestep/scenarios/notation"
	"github.com/kubestep/kubestep/scenarios/source"
)

// StepDraw is what the seed draws of a step.
type StepDraw struct {
	At       *notation.Delay `yaml:"at,omitempty" example:"20s..40s" doc:"Virtual time since the start at which the step happens."`
	After    *notation.Delay `yaml:"after,omitempty" example:"0s..5s" doc:"Virtual time since the end of the previous step."`
	Replicas *notation.Range `yaml:"replicas,omitempty" example:"2..9" doc:"With scale: replicas, in place of the given number. With create and apply: spec.replicas of the objects that have a Pod template."`
	Count    *notation.Range `yaml:"count,omitempty" example:"1..3" doc:"With pod: count."`
	// Restart is restartAfter of the verb.
	Restart *notation.Delay `yaml:"restartAfter,omitempty" example:"1s..30s" doc:"With controller: restartAfter."`
}

// String lists what is drawn: drawn: at 20s..40s, replicas 2..9.
func (d *StepDraw) String() string {
	var words []string
	for _, span := range []span{{"at", d.At}, {"after", d.After}, {restartAfter, d.Restart}} {
		if span.of != nil {
			words = append(words, span.name+" "+span.of.String())
		}
	}
	for _, size := range d.sizes() {
		if size.of != nil {
			words = append(words, size.name+" "+size.of.String())
		}
	}
	return "drawn: " + strings.Join(words, ", ")
}

// restartAfter is the name of the field that StepDraw.Restart draws.
const restartAfter = "restartAfter"

type size struct {
	name string
	of   *notation.Range
}

func (d *StepDraw) sizes() []size { return []size{{"replicas", d.Replicas}, {"count", d.Count}} }

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
	if *d == (StepDraw{}) {
		v.fail(path+".draw", "at: 20s..40s", "draw needs at least one range")
	}
	if d.At != nil && (d.After != nil || step.After != nil) || d.After != nil && step.At != nil {
		v.fail(path+".draw", "remove one of them", "a step has at or after, not both")
	}
	for _, span := range []span{{"at", d.At}, {"after", d.After}} {
		if at := path + "." + span.name; span.of != nil && v.has(at) {
			v.fail(source.Join(path+".draw", span.name), "remove one of them", "%s is already set by %s", span.name, at)
		}
		if span.of != nil && span.of.Never {
			v.fail(source.Join(path+".draw", span.name), "20s..40s", "must be a range of times, not never")
		}
	}
	switch {
	case d.Restart == nil:
	case d.Restart.Never || d.Restart.Min == 0:
		v.fail(path+".draw."+restartAfter, "1s..30s", "must be a range of times that are longer than 0s, and not never")
	case SpanField(step.Verb, restartAfter) < 0:
		v.fail(path+".draw."+restartAfter, "remove the line", "%s has no field %s", word, restartAfter)
	case v.has(path + "." + word + "." + restartAfter):
		v.fail(path+".draw."+restartAfter, "remove one of them", "%s is already set by %s", restartAfter, path+"."+word+"."+restartAfter)
	}
	for _, size := range d.sizes() {
		manifests := size.name == "replicas" && (word == "create" || word == "apply")
		if size.of != nil && !manifests && SizeField(step.Verb, size.name) < 0 {
			v.fail(source.Join(path+".draw", size.name), "remove the line", "%s has no field %s", word, size.name)
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
