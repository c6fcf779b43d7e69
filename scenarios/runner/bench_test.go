package runner

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
)

// rolloutScenario creates a Deployment of n replicas and gives it a new image.
const rolloutScenario = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: bench}
spec:
  title: Create and update %[1]d replicas
  horizon: 30m
  kubernetes: {clientQPS: 0}
  cluster:
    nodes: [{count: 5, pods: 1000}]
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
  - wait: {for: rollout deployment/web, timeout: 10m}
  - set-image: {target: deployment/web, image: "web:v2"}
  - wait: {for: rollout deployment/web, timeout: 10m}
`

func benchmarkRollout(b *testing.B, replicas int, skip ...string) {
	b.ReportAllocs()
	var events int64
	for b.Loop() {
		scenario, err := format.Parse("bench.yaml", fmt.Appendf(nil, rolloutScenario, replicas), verb.All)
		if err != nil {
			b.Fatal(err)
		}
		scenario.Spec.Invariants.Skip = skip
		outcome, err := Run(scenario, RunOptions{})
		if err != nil || outcome.Result != Pass {
			b.Fatalf("%v, %v", outcome, err)
		}
		events += outcome.Events
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkRollout10(b *testing.B)   { benchmarkRollout(b, 10) }
func BenchmarkRollout100(b *testing.B)  { benchmarkRollout(b, 100) }
func BenchmarkRollout1000(b *testing.B) { benchmarkRollout(b, 1000) }

// BenchmarkRollout1000Unwatched shows what the invariants cost.
func BenchmarkRollout1000Unwatched(b *testing.B) { benchmarkRollout(b, 1000, invariant.Names()...) }

// idleScenario is a cluster in which nothing happens for some days, and cronScenario one with an hourly CronJob.
const (
	idleScenario = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: idle}
spec:
  title: Idle for %[1]d days
  horizon: %[1]d_DAYS
  steps: [{note: Nothing happens}]
`
	cronScenario = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: cron}
spec:
  title: An hourly CronJob for %[1]d days
  horizon: %[1]d_DAYS
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
`
)

func benchmarkDays(b *testing.B, text string, days int) {
	b.ReportAllocs()
	for b.Loop() {
		text := strings.ReplaceAll(fmt.Sprintf(text, days), fmt.Sprintf("%d_DAYS", days), fmt.Sprintf("%dh", 24*days))
		scenario, err := format.Parse("bench.yaml", []byte(text), verb.All)
		if err != nil {
			b.Fatal(err)
		}
		outcome, err := Run(scenario, RunOptions{})
		if err != nil || outcome.Result != Pass {
			b.Fatalf("%v, %v", outcome, err)
		}
		b.ReportMetric(float64(outcome.Records)/float64(days), "records/day")
	}
}

func BenchmarkStillDay(b *testing.B) {
	benchmarkDays(b, strings.Replace(idleScenario, "  steps:", "  cluster: {heartbeat: 0s}\n  steps:", 1), 1)
}

func BenchmarkIdleDay(b *testing.B)    { benchmarkDays(b, idleScenario, 1) }
func BenchmarkIdle30Days(b *testing.B) { benchmarkDays(b, idleScenario, 30) }
func BenchmarkCronDay(b *testing.B)    { benchmarkDays(b, cronScenario, 1) }
func BenchmarkCronMonth(b *testing.B)  { benchmarkDays(b, cronScenario, 30) }
func BenchmarkCronYear(b *testing.B)   { benchmarkDays(b, cronScenario, 365) }

// BenchmarkStart runs scenarios in which nothing happens: what each run of a sweep costs before its first step. The world of Start has no
// controllers, that of StartDefault those that a scenario without a list has, and StartAll all.
func BenchmarkStart(b *testing.B)        { benchmarkStart(b, "[]") }
func BenchmarkStartDefault(b *testing.B) { benchmarkStart(b, "") }
func BenchmarkStartAll(b *testing.B)     { benchmarkStart(b, "['*']") }

func benchmarkStart(b *testing.B, controllers string) {
	text := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: start}\nspec:\n  title: Start\n  horizon: 1ms\n" +
		"  steps: [{note: Nothing happens}]\n"
	if controllers != "" {
		text += "  kubernetes: {controllers: " + controllers + "}\n"
	}
	b.ReportAllocs()
	for b.Loop() {
		scenario, err := format.Parse("start.yaml", []byte(text), verb.All)
		if err != nil {
			b.Fatal(err)
		}
		if outcome, err := Run(scenario, RunOptions{}); err != nil || outcome.Result != Pass {
			b.Fatalf("%v, %v", outcome, err)
		}
	}
}

// BenchmarkGallery runs each scenario of the gallery: how long each one takes, and which is the slowest. One turn of
// all of them (-benchtime 1x) is what reading the whole gallery costs.
func BenchmarkGallery(b *testing.B) {
	files, err := library.Files()
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasPrefix(file, "bugs/") {
			continue
		}
		b.Run(strings.TrimSuffix(strings.TrimPrefix(file, "bugs/"), ".yaml"), func(b *testing.B) {
			for b.Loop() {
				scenario, err := library.Load(file)
				if err != nil {
					b.Fatal(err)
				}
				outcome, err := Run(scenario, RunOptions{})
				if err != nil || (outcome.Result == Pass) == annotation.IsPast(scenario.Metadata.Annotations, controllers.KubernetesVersion) {
					b.Fatalf("%v, %v", outcome, err)
				}
			}
		})
	}
}
