package format

import (
	"reflect"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// synonyms answers what people write who come from kubectl or from other tools. The verbs bring their own.
var synonyms = map[reflect.Type]map[string]string{
	reflect.TypeFor[Step](): {
		"sleep": "after: 10s, together with the next verb",
		"delay": "after",
		"time":  "at",
		"if":    "when",
		"error": "fails",
	},
	reflect.TypeFor[FaultRule](): {
		"code":     "fail",
		"status":   "fail",
		"reason":   "fail",
		"error":    "fail",
		"response": "fail",
		"latency":  "delay",
		"count":    "times",
		"duration": "for",
		"end":      "until",
		"down":     "node: {fail: node-2}",
	},
	reflect.TypeFor[Spec](): {
		"description": "about",
		"name":        "title",
		"duration":    "horizon",
		"timeout":     "horizon",
		"end":         "horizon",
		"actions":     "steps",
		"invariants":  "checks",
		"asserts":     "checks",
	},
	reflect.TypeFor[PodLife](): {"delay": "ready", "running": "ready", "succeed": "complete"},
	reflect.TypeFor[Check](): {
		"never": "always, with the condition negated",
		"after": "from",
		"that":  "always",
	},
}

// fieldSuggestion says what to write instead of a field that the struct does not have.
func (v Verbs) fieldSuggestion(owner reflect.Type, name string) string {
	names := v.fieldNames(owner)
	for _, known := range names {
		if spelling.Same(name, known) {
			return known
		}
	}
	if try := v.synonym(owner, name); try != "" {
		return try
	}
	if home := fieldHome(owner, name); home != "" {
		return home
	}
	if below := v.fieldBelow(owner, name); below != "" {
		return below
	}
	if near := spelling.Nearest(name, names); near != "" {
		return near
	}
	if owner == reflect.TypeFor[Step]() {
		names = v.Names()
	}
	return "one of " + strings.Join(names, ", ")
}

// fieldBelow tells where in a row a field belongs that stands beside what it is part of: in a fault, verb belongs to request, and in a
// step, replicas to scale. Names that belong to many places get no answer.
func (v Verbs) fieldBelow(owner reflect.Type, name string) string {
	if owner != reflect.TypeFor[Step]() && owner != reflect.TypeFor[FaultRule]() {
		return ""
	}
	const placesMax = 4
	var places []string
	for _, f := range v.fieldsOf(owner) {
		t := f.typ
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || f.name == "draw" {
			continue
		}
		if _, ok := v.fieldNamed(t, name); ok {
			places = append(places, f.name)
		}
	}
	if len(places) == 0 || len(places) > placesMax {
		return ""
	}
	return "move it into " + strings.Join(places, " or ")
}

// fieldHome tells where a field belongs that stands at the wrong one of the upper levels: horizon
// belongs to spec, and nodes to spec.cluster. Names that belong to several places get no answer.
func fieldHome(owner reflect.Type, name string) string {
	places := []struct {
		path  string
		owner reflect.Type
	}{
		{"the top of the file", reflect.TypeFor[Scenario]()},
		{"metadata", reflect.TypeFor[Metadata]()},
		{"spec", reflect.TypeFor[Spec]()},
		{"spec.kubernetes", reflect.TypeFor[Kubernetes]()},
		{"spec.cluster", reflect.TypeFor[Cluster]()},
		{"spec.cluster.latency", reflect.TypeFor[Latency]()},
	}
	var homes []string
	upper := false
	for _, place := range places {
		upper = upper || place.owner == owner
		if _, ok := fieldNamed(place.owner, name); ok {
			homes = append(homes, place.path)
		}
	}
	if !upper || len(homes) != 1 {
		return ""
	}
	return "move it to " + homes[0]
}
