package format_test

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

func TestManifests(t *testing.T) {
	s, err := format.Parse("x.yaml", []byte(strings.Replace(smallest, "spec: {title: Smallest, steps: []}",
		`spec:
  title: X
  steps:
  - apply: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, namespace: shop}
      spec: {replicas: 3}
      ---
      apiVersion: v1
      kind: List
      items:
      - {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
      - apiVersion: v1
        kind: Node
        metadata:
          name: node-a
`, 1)), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	manifests, err := manifest.Read(s.Kinds(), s.File, format.StepPath(0)+".apply", string(*s.Spec.Steps[0].Verb.(*verb.Apply)))
	if err != nil || len(manifests) != 3 {
		t.Fatalf("Manifests = %v, %v", manifests, err)
	}
	for i, want := range []struct {
		gvk string
		at  source.Position
	}{
		{"apps/v1, Kind=Deployment", source.Position{Line: 8, Column: 7}},
		{"/v1, Kind=Namespace", source.Position{Line: 16, Column: 9}},
		{"/v1, Kind=Node", source.Position{Line: 17, Column: 9}},
	} {
		m := manifests[i]
		if m.GVK.String() != want.gvk || m.Position != want.at || m.Index != i ||
			m.Unstructured.GetKind() != m.GVK.Kind {
			t.Errorf("manifest %d = %v at %v, want %v", i, m.GVK, m.Position, want)
		}
	}
	web := manifests[0].Object.(*appsv1.Deployment)
	if web.Name != "web" || web.Namespace != "shop" || *web.Spec.Replicas != 3 {
		t.Errorf("Deployment = %+v", web)
	}
	if _, ok := manifests[2].Object.(*corev1.Node); !ok {
		t.Errorf("Node = %T", manifests[2].Object)
	}
	want := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":` +
		`{"name":"web","namespace":"shop"},"spec":{"replicas":3}}`
	if string(manifests[0].Raw) != want {
		t.Errorf("Raw = %s", manifests[0].Raw)
	}
}

func TestPatchJSON(t *testing.T) {
	for text, want := range map[string]string{
		"{b: 1, a: [true, null, 1.5, x, 2026-01-01]}": `{"b":1,"a":[true,null,1.5,"x","2026-01-01"]}`,
		`'{"b": 1, "a": "1"}'`:                        `{"b":1,"a":"1"}`,
		"'b: {c: d}'":                                 `{"b":{"c":"d"}}`,
		"{1: 0x10, a/b: .inf}":                        `{"1":16,"a/b":".inf"}`,
	} {
		s, err := format.Parse("x.yaml", []byte(strings.Replace(smallest, "[]",
			"[{patch: {target: pod/a, patch: "+text+"}}]", 1)), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := source.PatchJSON(s.Spec.Steps[0].Verb.(*verb.Patch).Patch); err != nil || string(got) != want {
			t.Errorf("JSON of %s = %s, %v, want %s", text, got, err, want)
		}
	}
}

func TestConfigJSON(t *testing.T) {
	s, err := format.Parse("x.yaml", []byte(strings.Replace(smallest, "steps:",
		"kubernetes: {config: {a: &x {b: 1}, c: *x}}, steps:", 1)), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Spec.Kubernetes.ConfigJSON()
	if want := `{"a":{"b":1},"c":{"b":1}}`; err != nil || string(got) != want {
		t.Errorf("ConfigJSON = %s, %v", got, err)
	}
	if got, _ := (&format.Kubernetes{}).ConfigJSON(); string(got) != "{}" {
		t.Errorf("ConfigJSON without config = %s", got)
	}
}
