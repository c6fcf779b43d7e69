package runner

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// queueScenario is an autoscaler that reads metrics from outside of its Pods, late.
const queueScenario = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata:
  name: hpa-queue
  labels: {topic: autoscaling, level: intermediate}
spec:
  title: An autoscaler follows the length of a queue, and metrics that are late
  about: |
    Nothing in a Pod says how much work waits for it. This HorizontalPodAutoscaler reads two metrics from outside: the length of
    a queue, which external.metrics.k8s.io serves, and the requests to a Service, which custom.metrics.k8s.io serves as a metric
    of that object. It computes a number of replicas for each metric, and takes the highest.

    In this cluster, a metric is sampled every 30 seconds and takes another 45 seconds through other systems. What the autoscaler
    reads is up to 75 seconds old, and until then it does not react.
  horizon: 15m
  kubernetes:
    controllers: [deployment-controller, replicaset-controller, horizontal-pod-autoscaler-controller]
  cluster:
    nodes: [{count: 3}]
    pods: [{ready: 2s, terminate: 1s}]
    metrics: {resolution: 30s, delay: 45s}
    load:
    - {name: queue, external: {queue: orders}, metric: queue_length, levels: [{total: "20"}]}
    - {name: other-queue, external: {queue: mail}, metric: queue_length, levels: [{total: "900"}]}
    - {name: requests, object: service/web, metric: requests_per_second, levels: [{total: "100"}]}
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
      ---
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: {name: web}
      spec:
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
        minReplicas: 2
        maxReplicas: 10
        metrics:
        - type: External
          external:
            metric: {name: queue_length, selector: {matchLabels: {queue: orders}}}
            target: {type: AverageValue, averageValue: "10"}
        - type: Object
          object:
            describedObject: {apiVersion: v1, kind: Service, name: web}
            metric: {name: requests_per_second}
            target: {type: AverageValue, averageValue: "50"}
  - at: 3m
    note: |
      The queue grows to 60 entries. With 10 for each Pod, six Pods are wanted. Nothing happens yet: the autoscaler still reads
      the old length.
  - load: {name: queue, total: "60"}
  - after: 44s
    expect: {that: "deployment('web').spec.replicas == 2"}
  - wait: {for: "deployment('web').spec.replicas == 6", timeout: 90s}
  - note: |
      The queue is unchanged, and the Service gets 400 requests per second. With 50 for each Pod, eight Pods are wanted. This is
      more than the queue wants, and the highest number counts.
  - load: {name: requests, total: "400"}
  - wait: {for: "deployment('web').spec.replicas == 8", timeout: 3m}
  checks:
  - name: reacts-late
    always: "now < duration('3m45s') ? deployment('web').spec.replicas == 2 : true"
  - {name: eight, at-end: "deployment('web').spec.replicas == 8"}
`

// TestAutoscalersReadMetricsOfObjectsAndOfNone scales a Deployment by an external metric and by one of a Service.
func TestAutoscalersReadMetricsOfObjectsAndOfNone(t *testing.T) {
	scenario, err := format.Parse("queue.yaml", []byte(queueScenario), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range int64(3) {
		outcome, err := Run(scenario, RunOptions{Seed: &seed})
		if err != nil || outcome.Result != Pass {
			t.Fatalf("seed %d: %+v, %v", seed, outcome, err)
		}
	}
}
