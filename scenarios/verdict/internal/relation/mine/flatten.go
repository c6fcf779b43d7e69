package mine

import (
	"maps"
	"slices"
	"strings"
)

// field is a value in an object that is not an object itself. The index of a list is left out of its path:
// spec.containers[].name.
type field struct {
	path  string
	value any
}

// ignored are the fields in which every value is different or the same, by the API server.
var ignored = []string{
	"apiVersion", "kind", "metadata.uid", "metadata.resourceVersion", "metadata.creationTimestamp", "metadata.managedFields",
	"metadata.annotations", "metadata.labels", "metadata.selfLink",
}

// flatten lists the fields of an object, sorted by their paths.
func flatten(object map[string]any) []field {
	var all []field
	collect("", object, &all)
	return all
}

func collect(path string, value any, all *[]field) {
	if slices.Contains(ignored, path) {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			collect(strings.TrimPrefix(path+"."+key, "."), value[key], all)
		}
	case []any:
		for _, item := range value {
			collect(path+"[]", item, all)
		}
	case nil:
	default:
		*all = append(*all, field{path, value})
	}
}
