package format_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

func TestPositionFallsBackToTheNearestField(t *testing.T) {
	s, err := format.Parse("x.yaml", []byte(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata:
  name: x
  labels: {example.com/a: b}
spec:
  title: X
  steps:
  - scale: {target: deployment/web, replicas: 3}
  - after: 5s
    patch:
      target: pod/a
      patch: {spec: {list: [1, 2]}}
`), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path string
		want source.Position
	}{
		{"spec.steps[0].scale.target", source.Position{Line: 9, Column: 21}},
		{"spec.steps[0].scale.target.more", source.Position{Line: 9, Column: 21}},
		{"spec.steps[0].scale.nothing", source.Position{Line: 9, Column: 12}},
		{"spec.steps[1].after", source.Position{Line: 10, Column: 12}},
		{"spec.steps[1]", source.Position{Line: 10, Column: 5}},
		{"spec.steps[1].patch", source.Position{Line: 11, Column: 5}},
		{"spec.steps[1].patch.patch.spec.list[1]", source.Position{Line: 13, Column: 32}},
		{"spec.steps[7].scale", source.Position{Line: 8, Column: 3}},
		{"metadata.labels[example.com/a]", source.Position{Line: 5, Column: 27}},
		{"metadata.labels[example.com/b]", source.Position{Line: 5, Column: 11}},
		{"spec.cluster.nodes", source.Position{Line: 6, Column: 1}},
		{"nothing", source.Position{Line: 1, Column: 1}},
		{"", source.Position{Line: 1, Column: 1}},
	} {
		if got := s.Position(test.path); got != test.want {
			t.Errorf("Position(%q) = %v, want %v", test.path, got, test.want)
		}
	}
	e := s.Errorf("spec.steps[0].scale.target", "deployment/shop", "%s not found", "web")
	if want := "x.yaml:9:21: spec.steps[0].scale.target: web not found"; e.Error() != want {
		t.Errorf("Errorf = %q, want %q", e, want)
	}
	if e.Try != "deployment/shop" {
		t.Errorf("Try = %q", e.Try)
	}
}

// TestErrorWithoutFile: a scenario that was built in Go has no positions, but readable errors.
func TestErrorWithoutFile(t *testing.T) {
	var s format.Scenario
	e := s.Errorf(format.StepPath(2), "", "went wrong")
	if e.Error() != "spec.steps[2]: went wrong" {
		t.Errorf("Errorf = %q", e)
	}
	_, err := manifest.Read(s.Kinds(), s.File, format.StepPath(0), "a: b")
	if err == nil || err.Error() != "spec.steps[0]: kind is missing" {
		t.Errorf("Manifests = %v", err)
	}
}
