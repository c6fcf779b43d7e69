package runner_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestAStepsFaultIsDrawn: the rule of a step takes what the seed draws from its space, as a standing rule does.
func TestAStepsFaultIsDrawn(t *testing.T) {
	scenario, err := format.Parse("drawn.yaml", []byte(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: drawn}
spec:
  title: The second creation of a ConfigMap fails
  horizon: 10s
  steps:
  - fault: {request: {actor: kubectl, verb: create, resource: configmaps}, fail: Conflict, times: 1, draw: {nth: 2..2}}
  - create: "{apiVersion: v1, kind: ConfigMap, metadata: {name: first}}"
  - create: "{apiVersion: v1, kind: ConfigMap, metadata: {name: second}}"
    fails: Conflict
`), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	var effects []string
	outcome, err := runner.Run(scenario, runner.RunOptions{Sinks: []trace.Sink{func(record *trace.Record, _ []byte) {
		if record.Fault != nil {
			effects = append(effects, record.Fault.Effect)
		}
	}}})
	if err != nil || outcome.Result != runner.Pass || len(effects) == 0 || effects[0] != "drawn: nth 2" {
		t.Errorf("%+v, %v, %q", outcome, err, effects)
	}
}
