package network

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// metricsOf is the list that an API of metrics returned, for its record: each item without the metadata but the name. All other
// answers consist of objects of the store, which a trace holds.
func metricsOf(resource schema.GroupVersionResource, list runtime.Object) json.RawMessage {
	if !strings.HasSuffix(resource.Group, "metrics.k8s.io") {
		return nil
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(list)
	if err != nil {
		panic("network: a list of metrics does not convert: " + err.Error())
	}
	items, _ := fields["items"].([]any)
	if items == nil {
		items = []any{}
	}
	for _, item := range items {
		of, _ := item.(map[string]any)
		if metadata, ok := of["metadata"].(map[string]any); ok {
			of["metadata"] = map[string]any{"name": metadata["name"]}
		}
	}
	data, err := json.Marshal(items)
	if err != nil {
		panic("network: a list of metrics does not marshal: " + err.Error())
	}
	return data
}
