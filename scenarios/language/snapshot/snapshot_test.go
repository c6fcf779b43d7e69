package snapshot_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
)

func scenarioOf(t *testing.T, name, dump string, options snapshot.Options) (string, *snapshot.Report) {
	t.Helper()
	options.Name, options.Source = strings.TrimSuffix(name, ".yaml"), name
	text, report, err := snapshot.Scenario(strings.NewReader(dump), options)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), report
}

// play runs a scenario and returns its outcome and its objects at the end.
func play(t *testing.T, text string) (*runner.Outcome, *trace.Replay, int64) {
	t.Helper()
	s, err := format.Parse("test.yaml", []byte(text), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	replay, last := trace.NewReplay(), int64(0)
	outcome, err := runner.Run(s, runner.RunOptions{Sinks: []trace.Sink{func(r *trace.Record, _ []byte) {
		last = r.Seq
		if err := replay.Apply(r); err != nil {
			t.Fatal(err)
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return outcome, replay, last
}

// TestStuckRollout turns a dump of a rollout with an image that does not exist into a scenario, which a reader
// finds beside the dump.
func TestStuckRollout(t *testing.T) {
	dump, err := os.ReadFile("testdata/stuck.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := scenarioOf(t, "stuck.yaml", string(dump), snapshot.Options{})
	golden.Compare(t, filepath.Join("testdata", "stuck.scenario.yaml"), text)
	for _, secret := range []string{"aHVudGVyMg==", "last-applied", "managedFields"} {
		if strings.Contains(text, secret) {
			t.Errorf("the scenario holds %q", secret)
		}
	}
	_, replay, _ := play(t, text)
	deployment, err := json.Marshal(replay.Object(trace.Object{Resource: "deployments.apps", Namespace: "shop", Name: "web"}))
	if err != nil {
		t.Fatal(err)
	}
	// It began at 16:40:03 and has ten minutes; a condition has no fractions of a second.
	for _, part := range []string{"ProgressDeadlineExceeded", `"lastUpdateTime":"2026-11-20T16:50:0`, `"availableReplicas":3`} {
		if !bytes.Contains(deployment, []byte(part)) {
			t.Errorf("the Deployment has no %s: %s", part, deployment)
		}
	}
}

const halfway = `
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: halfway}
spec:
  title: A rolling update that is cut off
  horizon: HORIZON
  cluster:
    nodes: [{count: 3}]
    pods: [{ready: 2s, terminate: 1s}]
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 10
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "web:v1"}]}}
  - at: 10s
    set-image: {target: deployment/web, image: "web:v2"}
`

// TestARolloutGoesOn cuts a rolling update off in the middle, with Pods that start and Pods that go, and lets it
// continue in a new scenario: it ends as it would have ended.
func TestARolloutGoesOn(t *testing.T) {
	_, whole, _ := play(t, strings.Replace(halfway, "HORIZON", "1h", 1))
	_, cut, seq := play(t, strings.Replace(halfway, "HORIZON", "12500ms", 1))
	phases := map[any]int{}
	var items []any
	for _, kind := range []struct{ resource, apiVersion, kind string }{
		{"deployments.apps", "apps/v1", "Deployment"}, {"replicasets.apps", "apps/v1", "ReplicaSet"}, {"pods", "v1", "Pod"}, {"nodes", "v1", "Node"},
	} {
		for _, o := range cut.Objects(kind.resource, seq) {
			object := cut.Object(o)
			object["apiVersion"], object["kind"] = kind.apiVersion, kind.kind
			items = append(items, object)
			if kind.kind == "Pod" {
				phases[object["status"].(map[string]any)["phase"]]++
				if object["metadata"].(map[string]any)["deletionTimestamp"] != nil {
					phases["going"]++
				}
			}
		}
	}
	if phases["Pending"] == 0 || phases["Running"] == 0 || phases["going"] == 0 {
		t.Fatalf("nothing is halfway: %v", phases)
	}
	dump, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	text, report := scenarioOf(t, "dump.yaml", string(dump), snapshot.Options{})
	if len(report.Created)+len(report.Warnings) > 0 {
		t.Errorf("a whole dump needs nothing: %+v", report)
	}
	outcome, rest, last := play(t, text)
	if outcome.Result != runner.Pass {
		t.Errorf("the rest of the rollout: %+v", outcome)
	}
	web := trace.Object{Resource: "deployments.apps", Namespace: "default", Name: "web"}
	for _, field := range []string{"replicas", "updatedReplicas", "availableReplicas"} {
		want := whole.Object(web)["status"].(map[string]any)[field]
		if got := rest.Object(web)["status"].(map[string]any)[field]; got != want {
			t.Errorf("status.%s is %v, and %v in the run that was not cut off", field, got, want)
		}
	}
	if got := whole.Object(web)["metadata"].(map[string]any)["uid"]; got != rest.Object(web)["metadata"].(map[string]any)["uid"] {
		t.Error("the Deployment has another uid")
	}
	// The Pods that were ready stay, and nothing is made twice.
	if pods := rest.Objects("pods", last); len(pods) != 10 {
		t.Errorf("%d Pods at the end: %v", len(pods), pods)
	}
	sets := func(r *trace.Replay, seq int64) []trace.Object { return r.Objects("replicasets.apps", seq) }
	if a, b := sets(cut, seq), sets(rest, last); !slices.Equal(a, b) {
		t.Errorf("ReplicaSets were %v and are %v", a, b)
	}
}

// TestAnIncidentStays turns a dump with contradictions into a scenario: a Pod that should have been gone for hours, on a node
// that only an Event mentions, a dependent without its owner, and a finalizer that nobody removes. Nothing of that heals in
// the run.
func TestAnIncidentStays(t *testing.T) {
	dump, err := os.ReadFile("testdata/incident.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text, report := scenarioOf(t, "incident.yaml", string(dump), snapshot.Options{})
	outcome, replay, last := play(t, text)
	var out strings.Builder
	for _, line := range slices.Concat(report.States, report.Warnings) {
		out.WriteString(line + "\n")
	}
	out.WriteString("\nNot as wanted after the run:\n")
	for _, u := range outcome.Unmet {
		out.WriteString(u.Object + "\n")
	}
	golden.Compare(t, filepath.Join("testdata", "incident.txt"), out.String())
	if pods := replay.Objects("pods", last); len(pods) != 3 {
		t.Errorf("%d Pods at the end, want the old one and two that wait for a node: %v", len(pods), pods)
	}
}
