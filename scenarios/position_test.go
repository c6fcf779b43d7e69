package scenarios

import "testing"

func TestPositionFallsBackToTheNearestField(t *testing.T) {
	s, err := Parse("x.yaml", []byte(`apiVersion: kubestep.dev/v1alpha1
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
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path string
		want Position
	}{
		{"spec.steps[0].scale.target", Position{9, 21}},
		{"spec.steps[0].scale.target.more", Position{9, 21}},
		{"spec.steps[0].scale.nothing", Position{9, 12}},
		{"spec.steps[1].after", Position{10, 12}},
		{"spec.steps[1]", Position{10, 5}},
		{"spec.steps[1].patch", Position{11, 5}},
		{"spec.steps[1].patch.patch.spec.list[1]", Position{13, 32}},
		{"spec.steps[7].scale", Position{8, 3}},
		{"metadata.labels[example.com/a]", Position{5, 27}},
		{"metadata.labels[example.com/b]", Position{5, 11}},
		{"spec.cluster.nodes", Position{6, 1}},
		{"nothing", Position{1, 1}},
		{"", Position{1, 1}},
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
	var s Scenario
	e := s.Errorf(StepPath(2), "", "went wrong")
	if e.Error() != "spec.steps[2]: went wrong" {
		t.Errorf("Errorf = %q", e)
	}
	_, err := s.Manifests(StepPath(0), "a: b")
	if err == nil || err.Error() != "spec.steps[0]: kind is missing" {
		t.Errorf("Manifests = %v", err)
	}
}
