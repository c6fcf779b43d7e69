package place

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

const three = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: three}
spec:
  title: Three Pods
  horizon: 30s
  kubernetes: {controllers: [deployment-controller, replicaset-controller]}
  cluster: {nodes: [{count: 2}], latency: {response: 1ms..3ms, watch: 2ms}}
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
`

// TestSwap holds that a write has one place of the kind, at the first of its answer and its event, and that these come in the other order
// with the fault.
func TestSwap(t *testing.T) {
	scenario, err := format.Parse("three.yaml", []byte(three), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	watch := func(plan *runner.Plan) *Look {
		look := NewLook(scenario)
		if _, err := plan.Run(runner.RunOptions{Sinks: []trace.Sink{look.Note}, Answered: look.Answered}); err != nil {
			t.Fatal(err)
		}
		return look
	}
	quiet := watch(plan)
	swapped, answers := map[version]bool{}, 0
	for _, s := range quiet.spots {
		rules := swap(quiet, s)
		if len(rules) == 0 {
			continue
		}
		w, _, before, _ := quiet.pairOf(s)
		of := version{w.Resource, w.rv}
		if swapped[of] {
			t.Errorf("%s has two places", w)
		}
		swapped[of] = true
		if s.write != nil {
			answers++
		}
		look := watch(space.Drawn{Rules: rules}.Plan(plan))
		_, _, after, ok := look.pairOf(spot{write: look.pairs.writes[of]})
		if !ok || (before < 0) == (after < 0) {
			t.Errorf("%s: the event comes %s after the answer, and with the fault %s", w, before, after)
		}
	}
	if answers == 0 || answers == len(swapped) {
		t.Errorf("of %d answers, %d come before the event: the test needs both", len(swapped), answers)
	}
}
