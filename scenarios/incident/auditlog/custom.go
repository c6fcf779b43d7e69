package auditlog

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/sim/kinds"
)

// definitions are the CustomResourceDefinitions that requests create.
func (t *taker) definitions() (found []*unstructured.Unstructured) {
	for _, r := range t.sorted() {
		if resourceOf(r.event) != definition.Kind.GroupResource().String() || !r.made || t.untimely(&definition.Kind, r) != "" {
			continue
		}
		object := &unstructured.Unstructured{}
		if object.UnmarshalJSON(r.event.RequestObject.Raw) == nil {
			found = append(found, object)
		}
	}
	return found
}

// manifestsOf are objects as manifests.
func manifestsOf(objects []*unstructured.Unstructured) string {
	var texts []string
	for _, object := range objects {
		data, _ := json.Marshal(object.Object) // what JSON decoded encodes
		texts = append(texts, manifest.Text(data))
	}
	return strings.Join(texts, "---\n")
}

// conditional are the built-in kinds of which an update must have the resourceVersion, as with custom resources.
var conditional = []string{
	"PodDisruptionBudget", "CustomResourceDefinition", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration",
}

// needsVersion reports whether the API server refuses an update without a resourceVersion, which a run cannot know.
func needsVersion(kind *kinds.Kind) bool {
	return kinds.BuiltIn().Of(kind.GroupResource()) == nil || slices.Contains(conditional, kind.Kind)
}

// replacing is a JSON patch that replaces what an update has: each of its fields, and those of its metadata.
func replacing(object map[string]any) (operations []any) {
	metadata, _ := object["metadata"].(map[string]any)
	for _, part := range []struct {
		fields map[string]any
		path   string
		but    []string
	}{
		{metadata, "/metadata/", []string{"name", "namespace", "generateName"}},
		{object, "/", []string{"apiVersion", "kind", "metadata"}},
	} {
		for _, name := range slices.Sorted(maps.Keys(part.fields)) {
			if !slices.Contains(part.but, name) {
				operations = append(operations, map[string]any{"op": "add", "path": part.path + name, "value": part.fields[name]})
			}
		}
	}
	return operations
}

// undefine notes a resource that no API group of Kubernetes has.
func (t *taker) undefine(resource schema.GroupResource) {
	if strings.Contains(resource.Group, ".") && !strings.HasSuffix(resource.Group, ".k8s.io") {
		t.missing = append(t.missing, definition.Kind.GroupResource().String(), resource.String())
	}
}

// fetch is the command for a dump with what requests need, empty if a dump can have nothing more.
func (t *taker) fetch() string {
	slices.Sort(t.missing)
	return t.state.Fetch(slices.Compact(t.missing))
}
