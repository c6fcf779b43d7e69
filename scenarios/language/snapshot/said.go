package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Said is what the cluster said about an object of the dump that is not as it should be: its conditions, and Events of type Warning, the
// last ones first.
func (d *Dump) Said(kind, namespace, name string) (lines []string) {
	for _, o := range d.Objects {
		if o.GetKind() == kind && o.GetNamespace() == namespace && o.GetName() == name {
			lines = append(lines, complaints(o)...)
		}
	}
	var warnings []*event
	for _, e := range d.events {
		if e.kind == kind && e.namespace == namespace && e.name == name && e.warning {
			warnings = append(warnings, e)
		}
	}
	slices.SortFunc(warnings, func(a, b *event) int { return cmp.Or(cmp.Compare(b.last, a.last), cmp.Compare(a.reason, b.reason)) })
	for _, e := range warnings {
		times := ""
		if e.count > 1 {
			times = fmt.Sprintf(" (%d times)", e.count)
		}
		lines = append(lines, fmt.Sprintf("Event %s%s: %s", e.reason, times, shortened(e.message)))
	}
	return lines
}

// complaints are the conditions of an object that say that something is wrong: those that are not true, and those that are named after a
// failure.
func complaints(o *unstructured.Unstructured) (lines []string) {
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, condition := range conditions {
		fields, _ := condition.(map[string]any)
		text := func(field string) string { value, _ := fields[field].(string); return value }
		failure := strings.Contains(text("type"), "Fail")
		if text("message") != "" && failure == (text("status") == "True") {
			lines = append(lines, fmt.Sprintf("condition %s %s: %s", text("type"), text("status"), shortened(text("message"))))
		}
	}
	return lines
}
