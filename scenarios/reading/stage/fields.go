package stage

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// number is a count of an object, 0 if the field is absent.
func number(o map[string]any, path ...string) int64 {
	n, _, _ := unstructured.NestedInt64(o, path...)
	return n
}

// text is a field of an object, empty if it is absent.
func text(o map[string]any, path ...string) string {
	value, _, _ := unstructured.NestedString(o, path...)
	return value
}

// condition is the status of a condition, empty if there is none of this type.
func condition(o map[string]any, of string) string {
	list, _, _ := unstructured.NestedSlice(o, "status", "conditions")
	for _, item := range list {
		if c, ok := item.(map[string]any); ok && c["type"] == of {
			return text(c, "status")
		}
	}
	return ""
}

// joined are the parts that are not empty, with dots between them.
func joined(parts ...string) string { return join(" · ", parts...) }

// join are the parts that are not empty, with a text between them.
func join(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), between)
}

func sorted(of map[string]string) []string { return slices.Sorted(maps.Keys(of)) }
