package runner

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

const where = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: where}
spec:
  title: A fault names objects by their fields
  horizon: 1m
  faults:
  - {name: small, request: {verb: update, resource: replicasets, where: "object.spec.replicas < 2"}, fail: InternalError, times: 2}
  - {name: second, watch: {resource: pods, where: "object.spec.containers[0].image == 'web:v2'"}, delay: 1s}
  - {name: cut, watch: {resource: replicasets, where: "object.spec.replicas == 1"}, expire: true, times: 1}
  - {name: never, request: {verb: delete, where: "object.spec.nodeName == 'moon'"}, fail: InternalError}
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
  - at: 10s
    set-image: {target: deployment/web, image: "web:v2"}
`

// TestWhere applies faults to the objects that meet a condition, and to no others.
func TestWhere(t *testing.T) {
	scenario, err := format.Parse("where.yaml", []byte(where), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	applied := map[string]int{}
	outcome, err := Run(scenario, RunOptions{Sinks: []trace.Sink{func(record *trace.Record, _ []byte) {
		if f := record.Fault; f != nil && f.Effect != "release" {
			applied[f.Rule]++
			if record.At < 0 || f.Rule == "second" && !strings.HasPrefix(f.Name, "web-5dff576d75-") {
				t.Errorf("%s applies to %s", f.Rule, trace.ObjectName(f.Object))
			}
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	// The old ReplicaSet shrinks to 1, and to 0 after a failure each.
	if applied["small"] != 2 || applied["second"] < 3 || applied["never"] != 0 || applied["cut"] != 1 {
		t.Errorf("applied %v", applied)
	}
	const want = "never never matched: no request with the verb delete had an object with object.spec.nodeName == 'moon'"
	if len(outcome.Warnings) != 1 || outcome.Warnings[0] != want {
		t.Errorf("warnings %q, want %q", outcome.Warnings, want)
	}
	wrong := strings.Replace(where, "object.spec.replicas < 2", "object.spec.replica < 2", 1)
	if scenario, err = format.Parse("where.yaml", []byte(wrong), verb.All); err != nil {
		t.Fatal(err)
	}
	if _, err = Prepare(scenario); err == nil || !strings.Contains(err.Error(), "where.yaml:8:86: spec.faults[0].request.where: ") {
		t.Errorf("a field that ReplicaSets do not have: %v", err)
	}
}
