package rollout

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// Numbers are those of a rolling update.
type Numbers struct {
	Replicas int32
	// Surge and Unavailable are maxSurge and maxUnavailable: numbers or percentages.
	Surge, Unavailable string
}

// maxReplicas is what a run on one machine does in some seconds.
const maxReplicas = 1000

// Validate asks upstream's validation, which the API server asks, too. Errors are *source.Error.
func (f *Numbers) Validate() error {
	update := &apps.RollingUpdateDeployment{MaxSurge: intstr.Parse(f.Surge), MaxUnavailable: intstr.Parse(f.Unavailable)}
	errs := corevalidation.ValidateNonnegativeField(int64(f.Replicas), field.NewPath("spec", "replicas"))
	errs = append(errs, appsvalidation.ValidateRollingUpdateDeployment(update, field.NewPath("spec", "strategy", "rollingUpdate"))...)
	if len(errs) > 0 {
		return f.problem(errs[0])
	}
	if f.Replicas > maxReplicas {
		return source.Problem(fmt.Sprintf("--replicas %d, or a scenario of your own", maxReplicas),
			"--replicas %d: the built-in rollout has at most %d replicas", f.Replicas, maxReplicas)
	}
	return nil
}

// problem names the flag of a field.
func (f *Numbers) problem(err *field.Error) error {
	flag, value, try := "--replicas", fmt.Sprint(f.Replicas), "--replicas 10"
	switch {
	case strings.HasSuffix(err.Field, ".maxSurge"):
		flag, value, try = "--max-surge", f.Surge, "--max-surge 3 or --max-surge 25%"
	case strings.HasSuffix(err.Field, ".maxUnavailable"):
		flag, value, try = "--max-unavailable", f.Unavailable, "--max-unavailable 2 or --max-unavailable 25%"
	}
	return source.Problem(try, "%s %s: %s", flag, value, err.Error())
}

// Scenario is a Deployment with these numbers that gets a new image. Clients have no limit of their own, so
// that only the arithmetic decides what happens when.
func (f *Numbers) Scenario() (*format.Scenario, error) {
	pods := int64(f.Replicas)*2 + 1
	return format.Parse("rollout", fmt.Appendf(nil, `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: rollout}
spec:
  title: A rolling update
  horizon: 8h
  kubernetes: {clientQPS: 0, controllers: [deployment-controller, replicaset-controller]}
  cluster:
    nodes: [{count: %d}]
    pods: [{ready: 2s, terminate: 1s}]
    heartbeat: 0s
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: %d
        strategy: {rollingUpdate: {maxSurge: %s, maxUnavailable: %s}}
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
  - wait: {for: rollout deployment/web, timeout: 1h}
  - wait: {for: quiet 1s}
  - set-image: {target: deployment/web, image: "web:v2"}
  - wait: {for: rollout deployment/web, timeout: 6h}
  - wait: {for: quiet 1s}
`, (pods+99)/100, f.Replicas, limitText(f.Surge), limitText(f.Unavailable)), verb.All)
}

// limitText is a number as it is, and a percentage in quotes.
func limitText(limit string) string {
	value := intstr.Parse(limit)
	if value.Type == intstr.Int {
		return value.String()
	}
	return fmt.Sprintf("%q", limit)
}
