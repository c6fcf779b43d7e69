package verb_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

const spaces = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: spaces}
spec:
  title: Steps that a seed draws
  cluster: {nodes: [{count: 3, draw: {count: 1..3}}, {count: 2, prefix: gpu}]}
  steps:
  - create: |
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: settings}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
    draw: {replicas: 2..4}
  - scale: {target: deployment/web, replicas: 1}
    draw: {at: 20s..40s, replicas: 5..9}
  - note: The end.
    draw: {after: 1s..2s}
  - controller: {crash: kube-controller-manager}
    draw: {restartAfter: 1s..3s}
`

// TestDraw draws each field from its range, all values sooner or later, and leaves the scenario as it is.
func TestDraw(t *testing.T) {
	s, err := format.Parse("spaces.yaml", []byte(spaces), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	created, scaled, nodes, restarts := map[string]bool{}, map[int32]bool{}, map[int]bool{}, map[time.Duration]bool{}
	for seed := range int64(100) {
		drawn := verb.Draw(s, seed).Spec
		nodes[len(drawn.Cluster.EachNode())] = true
		steps := drawn.Steps
		restarts[steps[3].Verb.(*verb.Controller).After.Round(time.Second)] = true
		text := string(*steps[0].Verb.(*verb.Create))
		for n := 2; n <= 4; n++ {
			if strings.Contains(text, fmt.Sprintf("\n    replicas: %d\n", n)) && strings.HasPrefix(text, "apiVersion: v1\nkind: ConfigMap\n") {
				created[fmt.Sprint(n)] = true
			}
		}
		scaled[steps[1].Verb.(*verb.Scale).Replicas] = true
		if at, after := steps[1].At.Duration, steps[2].After.Duration; at < 20*time.Second || at > 40*time.Second ||
			after < time.Second || after > 2*time.Second || steps[1].Draw != nil {
			t.Fatalf("seed %d: at %s, after %s, %+v", seed, at, after, steps[1].Draw)
		}
	}
	if len(created) != 3 || len(scaled) != 5 || len(nodes) != 3 || !nodes[3] || len(restarts) != 3 || !restarts[3*time.Second] {
		t.Errorf("created with %v, scaled to %v, %v nodes, restarts after %v", created, scaled, nodes, restarts)
	}
	if s.Spec.Cluster.Nodes[0].Count != 3 || s.Spec.Steps[3].Verb.(*verb.Controller).After != nil {
		t.Errorf("the scenario changed: %+v, %+v", s.Spec.Cluster.Nodes, s.Spec.Steps[3].Verb)
	}
	if scale := s.Spec.Steps[1].Verb.(*verb.Scale); scale.Replicas != 1 || s.Spec.Steps[1].Draw == nil {
		t.Errorf("the scenario changed: %+v", scale)
	}
}
