package main

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
)

// workload is a scenario that is measured, and a row of the page.
type workload struct {
	// name is the row.
	name string
	// text is the scenario, or the name of one that comes with kubestep.
	text string
	// counted means that its counts are held by a test: it takes a second at most.
	counted bool
	// allocates means that the page has its allocations, which takes another run.
	allocates bool
	// bounded means that the run may take longer than a measurement should.
	bounded bool
}

// rollout creates a Deployment and gives it a new image.
func rollout(replicas int, kubernetes string) string {
	return fmt.Sprintf(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: rollout}
spec:
  title: Create and update %[1]d replicas
  horizon: 30m
  kubernetes: {%[2]s}
  cluster:
    nodes: [{count: 5, pods: 5000}]
    pods: [{ready: 2s, terminate: 1s}]
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: %[1]d
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
  - wait: {for: rollout deployment/web, timeout: 14m}
  - set-image: {target: deployment/web, image: "web:v2"}
  - wait: {for: rollout deployment/web, timeout: 14m}
`, replicas, kubernetes)
}

// idle is a cluster in which nothing happens.
func idle(horizon, spec string) string {
	return fmt.Sprintf(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: idle}
spec:
  title: Nothing happens
  horizon: %s
%s  steps: [{note: Nothing happens}]
`, horizon, spec)
}

// cron has an hourly CronJob.
func cron(days int) string {
	return fmt.Sprintf(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: cron}
spec:
  title: An hourly CronJob
  horizon: %dh
  kubernetes: {controllers: [cronjob-controller, job-controller, garbage-collector-controller]}
  cluster: {pods: [{ready: 1s, complete: 10s}]}
  steps:
  - create: |
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: hourly}
      spec:
        schedule: "0 * * * *"
        jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: "job:v1"}]}}}}
`, 24*days)
}

// The levers of a rollout: what is not said is as upstream has it.
const (
	byDefault = "clientQPS: 0"
	simple    = "clientQPS: 0, scheduler: simple"
	limited   = ""
)

// workloads are those of the page, in its order.
func workloads() []workload {
	all := []workload{
		{name: "an empty simulation", text: idle("1s", ""), counted: true},
		{name: "an empty simulation with all controllers", text: idle("1s", "  kubernetes: {controllers: ['*']}\n"), counted: true},
		{name: "10 replicas", text: rollout(10, byDefault), counted: true},
		{name: "100 replicas", text: rollout(100, byDefault), counted: true},
		{name: "100 replicas, `scheduler: simple`", text: rollout(100, simple), counted: true},
		{name: "1000 replicas", text: rollout(1000, byDefault), allocates: true},
		{name: "1000 replicas, `scheduler: simple`", text: rollout(1000, simple), allocates: true},
		{name: "1000 replicas, upstream's client limits", text: rollout(1000, limited)},
		{name: "2000 replicas", text: rollout(2000, byDefault)},
		{name: "2000 replicas, `scheduler: simple`", text: rollout(2000, simple)},
		{name: "5000 replicas", text: rollout(5000, byDefault), bounded: true},
		{name: "lesson `statefulset-order`", text: "statefulset-order", counted: true},
		{name: "lesson `job-back-off`", text: "job-back-off", counted: true},
		{name: "an hour of 5 nodes with heartbeats", text: idle("1h", "  cluster: {nodes: [{count: 5}]}\n"), counted: true},
		{name: "an hour of 100 nodes with heartbeats", text: idle("1h", "  cluster: {nodes: [{count: 100}]}\n")},
		{name: "8 hours of 5 nodes with heartbeats", text: idle("8h", "  cluster: {nodes: [{count: 5}]}\n")},
		{name: "30 days in which nothing happens", text: idle("720h", ""), counted: true},
		{name: "7 days of an hourly CronJob", text: cron(7), counted: true},
		{name: "30 days of an hourly CronJob", text: cron(30)},
	}
	for i := range all {
		all[i].allocates = all[i].allocates || all[i].counted
	}
	return all
}

// find is the workload with a name; nil if there is none.
func find(name string) *workload {
	for _, w := range workloads() {
		if w.name == name {
			return &w
		}
	}
	return nil
}

// isShipped reports whether the scenario comes with kubestep.
func (w *workload) isShipped() bool { return !strings.Contains(w.text, "\n") }

// load reads the scenario.
func (w *workload) load() (*format.Scenario, error) {
	if w.isShipped() {
		return library.Load(w.text)
	}
	return format.Parse("workload.yaml", []byte(w.text), verb.All)
}

// sweepOf is a sweep that is measured.
type sweepOf struct {
	name string
	args []string
}

// sweeps are those of the page.
func sweeps() []sweepOf {
	faults := []string{"--faults", "flaky-api,crash-anywhere"}
	return []sweepOf{
		{"`rolling-update`, no faults", []string{"rolling-update", "--seeds", "60"}},
		{"`rolling-update`, two fault spaces, `--no-comparison`", append([]string{"rolling-update", "--seeds", "30", "--no-comparison"}, faults...)},
		{"`rolling-update`, two fault spaces", append([]string{"rolling-update", "--seeds", "30"}, faults...)},
		{"`job-back-off`, no faults", []string{"job-back-off", "--seeds", "60"}},
		{"`job-back-off`, two fault spaces", append([]string{"job-back-off", "--seeds", "30"}, faults...)},
	}
}
