package explain_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers/explain/internal/agreement"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// TestExplanationsAgreeWithRandomAutoscalers plays autoscalers that nobody would write: loads that jump, Pods that never become ready,
// users who scale, deploy and edit the limits, an API of metrics that fails, and restarts.
func TestExplanationsAgreeWithRandomAutoscalers(t *testing.T) {
	runs := uint64(6)
	if testing.Short() {
		runs = 2
	}
	actions := agreement.NewActions()
	for n := range runs {
		text := randomAutoscaler(rand.New(rand.NewPCG(n, 15)))
		scenario, err := format.Parse("random.yaml", []byte(text), verb.All)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		play(t, scenario, int64(n), nil).CompareActions(actions, func(format string, args ...any) {
			t.Errorf("random %d: "+format, append([]any{n}, args...)...)
		})
		if t.Failed() {
			t.Fatalf("the scenario is\n%s", text)
		}
	}
	const controller = "horizontal-pod-autoscaler-controller"
	t.Logf("%d syncs, %d changed a size, %d were refused something", actions.Syncs[controller], actions.Acted[controller],
		actions.Refused[controller])
	if actions.Acted[controller] < int(runs) {
		t.Errorf("only %d syncs changed a size: that proves little", actions.Acted[controller])
	}
}

// randomAutoscaler is a Deployment with an autoscaler and nine things that happen to it.
func randomAutoscaler(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	policies := func() string {
		var all []string
		for range 1 + r.IntN(2) {
			all = append(all, fmt.Sprintf("{type: %s, value: %d, periodSeconds: %s}", pick("Pods", "Percent"), 1+r.IntN(60), pick("15", "30", "60", "180")))
		}
		return fmt.Sprintf("{stabilizationWindowSeconds: %s, selectPolicy: %s, policies: [%s]}", pick("0", "15", "30", "60", "300"),
			pick("Max", "Min", "Max", "Disabled"), strings.Join(all, ", "))
	}
	behavior := ""
	if r.IntN(3) > 0 {
		behavior = fmt.Sprintf("\n        behavior: {scaleUp: %s, scaleDown: %s}", policies(), policies())
	}
	metrics := []string{fmt.Sprintf("{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: %s}}}", pick("50", "80", "120"))}
	if r.IntN(2) == 0 {
		metrics = append(metrics, fmt.Sprintf("{type: Pods, pods: {metric: {name: orders}, target: {type: AverageValue, averageValue: %s}}}", pick("10", "33")))
	}
	if r.IntN(3) == 0 {
		metrics = append(metrics, "{type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 64Mi}}}")
	}
	if r.IntN(4) == 0 {
		metrics = append(metrics, "{type: ContainerResource, containerResource: {name: cpu, container: c, target: {type: Utilization, averageUtilization: 70}}}")
	}
	var text strings.Builder
	fmt.Fprintf(&text, `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: random}
spec:
  title: Random
  horizon: 30m
  kubernetes: {controllers: [deployment-controller, replicaset-controller, horizontal-pod-autoscaler-controller]}
  cluster:
    pods: [{match: {image: "*:v3"}, ready: never, terminate: 1s}, {ready: 1s..%s, terminate: 1s}]
    load:
    - {name: cpu, pods: app=web, metric: cpu, levels: [{total: %dm}]}
    - {name: memory, pods: app=web, metric: memory, levels: [{perPod: %dMi}]}
    - {name: orders, pods: app=web, metric: orders, levels: [{at: %s, total: %d}]}
    heartbeat: 0s
  faults:
  - {name: metrics, request: {actor: horizontal-pod-autoscaler-controller, verb: list}, fail: InternalError, at: %dm, times: 3}
  - {name: conflicts, request: {actor: horizontal-pod-autoscaler-controller, verb: update}, fail: Conflict, at: %dm, times: %d}
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: %d
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1", resources: {requests: {cpu: 100m, memory: 64Mi}}}]}
      ---
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: {name: web}
      spec:
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
        minReplicas: %d
        maxReplicas: %d
        metrics: [%s]%s
`, pick("3s", "40s"), 50+r.IntN(600), 16+r.IntN(100), pick("0s", "4m"), 10+r.IntN(200), 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(6),
		1+r.IntN(9), 1+r.IntN(3), 4+r.IntN(12), strings.Join(metrics, ", "), behavior)
	actions := []func() string{
		func() string { return fmt.Sprintf("load: {name: cpu, total: %dm}", r.IntN(1500)) },
		func() string { return fmt.Sprintf("load: {name: cpu, total: %dm}", r.IntN(400)) },
		func() string { return fmt.Sprintf("load: {name: orders, total: %d}", r.IntN(400)) },
		func() string { return fmt.Sprintf("load: {name: memory, perPod: %dMi}", r.IntN(200)) },
		func() string { return fmt.Sprintf("scale: {target: deployment/web, replicas: %d}", r.IntN(20)) },
		func() string {
			return fmt.Sprintf(`set-image: {target: deployment/web, image: "web:v%d"}`, 1+r.IntN(3))
		},
		func() string { return "controller: {restart: kube-controller-manager}" },
		func() string {
			return fmt.Sprintf("patch: {target: hpa/web, patch: {spec: {minReplicas: %d, maxReplicas: %d}}}", 1+r.IntN(4), 4+r.IntN(9))
		},
		func() string { return "patch: {target: hpa/web, patch: {spec: {behavior: null}}}" },
		func() string { return "delete: {target: pod, selector: app=web}" },
	}
	for range 9 {
		fmt.Fprintf(&text, "  - after: %s\n    %s\n", pick("1s", "16s", "50s", "130s", "190s"), actions[r.IntN(len(actions))]())
	}
	return text.String()
}
