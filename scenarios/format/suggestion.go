package format

import (
	"reflect"
	"strings"

	"github.com/kubestep/kubestep/scenarios/spelling"
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
	if near := spelling.Nearest(name, names); near != "" {
		return near
	}
	if owner == reflect.TypeFor[Step]() {
		names = v.Names()
	}
	return "one of " + strings.Join(names, ", ")
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
