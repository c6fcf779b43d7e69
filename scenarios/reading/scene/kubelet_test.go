package scene_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
)

// waitingRollout is a rollout that waits for a readiness probe, on two nodes with upstream's kubelet, one of which crashes.
const waitingRollout = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: waiting}
spec:
  title: A rollout that waits for a probe
  horizon: 2m
  kubernetes: {kubelet: kubelet}
  cluster:
    nodes: [{count: 2, cpu: 4, memory: 8Gi}]
    programs: [{image: 'web:2', answers: [{code: 503}]}, {image: 'web:1', onTerm: {exits: 4s}}]
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
          spec: {containers: [{name: web, image: "web:1", readinessProbe: {httpGet: {path: /, port: 80}}}]}
  - {at: 40s, set-image: {target: deployment/web, container: web, image: "web:2"}}
  - {at: 70s, controller: {crash: kubelet-node-2}}
`

// TestKubeletsHaveALane: the kubelets of all nodes are one component, which shows those that do not run, and the line of the workload says
// which probe of its Pod has not succeeded.
func TestKubeletsHaveALane(t *testing.T) {
	if !controllers.RunsKubelets() {
		t.Skip(controllers.ErrNoKubelet)
	}
	file := filepath.Join(t.TempDir(), "waiting.yaml")
	if err := os.WriteFile(file, []byte(strings.TrimSpace(waitingRollout)), 0o600); err != nil {
		t.Fatal(err)
	}
	scenes := scene.New(recorded(t, file))
	now := 75 * time.Second
	beat := scenes.At(scenes.Rec.Find(now), now)
	programs := beat.Programs(scenes.Components)
	n := slices.IndexFunc(programs, func(p scene.Program) bool { return p.Role == scene.Kubelet })
	if n < 0 {
		t.Fatalf("no kubelet among %d components", len(programs))
	}
	p := programs[n]
	if p.Name != "kubelet" || p.Mark != "●" || !strings.HasPrefix(p.About, "kubelet-node-2 crashed") {
		t.Errorf("%s %s: %q", p.Mark, p.Name, p.About)
	}
	var nodes []string
	for _, node := range p.Nodes {
		nodes = append(nodes, node.Name+node.Mark)
	}
	if want := []string{"node-1", "node-2✕"}; !slices.Equal(nodes, want) {
		t.Errorf("nodes %v, want %v", nodes, want)
	}
	for _, want := range []struct {
		node, does string
		tone       palette.Tone
	}{
		{"node-1", "waits for the readiness probe of web at ", palette.Pending}, {"node-1", "runs", ""},
		{"node-2", "nothing: its kubelet does not run", palette.Pending},
	} {
		if !slices.ContainsFunc(p.Workers, func(w scene.Worker) bool {
			return w.Node == want.node && strings.HasPrefix(w.Does, want.does) && w.Tone == want.tone && strings.HasPrefix(w.Pod, "web-")
		}) {
			t.Errorf("no worker on %s that %s: %v", want.node, want.does, p.Workers)
		}
	}
	if said := beat.Said(scenes.Rec.Workloads()[0]); !strings.Contains(said, "readiness probe GET :80/ of container web answered 503") {
		t.Errorf("the line of the Deployment: %s", said)
	}
	// What follows a question is not foretold.
	beat = scenes.At(scenes.Rec.Find(now), now)
	beat.Asked = true
	for _, w := range beat.Programs(scenes.Components)[n].Workers {
		if strings.Contains(w.Does, " at ") {
			t.Errorf("while a question is open, the worker of %s tells that it %s", w.Pod, w.Does)
		}
	}
}
