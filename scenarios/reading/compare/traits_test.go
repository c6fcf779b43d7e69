package compare

import (
	"maps"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestScaledBy finds the targets of autoscalers: by the resource that Kubernetes or a definition gives a kind, whatever its plural is.
func TestScaledBy(t *testing.T) {
	objects := map[trace.Object]map[string]any{}
	for object, text := range map[trace.Object]string{
		{Resource: "customresourcedefinitions.apiextensions.k8s.io", Name: "mice.example.com"}: `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: mice.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: mice, singular: mouse, kind: Mouse}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]`,
		{Resource: "horizontalpodautoscalers.autoscaling", Namespace: "default", Name: "a"}: `
spec: {scaleTargetRef: {apiVersion: example.com/v1, kind: Mouse, name: jerry}}`,
		{Resource: "horizontalpodautoscalers.autoscaling", Namespace: "default", Name: "b"}: `
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}`,
		{Resource: "horizontalpodautoscalers.autoscaling", Namespace: "default", Name: "c"}: `
spec: {scaleTargetRef: {apiVersion: example.com/v1, kind: Unknown, name: x}}`,
	} {
		var content map[string]any
		if err := yaml.Unmarshal([]byte(text), &content); err != nil {
			t.Fatal(err)
		}
		objects[object] = content
	}
	want := map[trace.Object]bool{
		{Resource: "mice.example.com", Namespace: "default", Name: "jerry"}: true,
		{Resource: "deployments.apps", Namespace: "default", Name: "web"}:   true,
	}
	if got := scaledBy(maps.All(objects)); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
