package autoscaling

import (
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// proposal is what one metric asks for.
type proposal struct {
	replicas int32
	// why is the arithmetic in short: "44% / 50% = 0.88, x 20 Pods = 17.6, rounded up".
	why string
	// tolerated means that the ratio is so close to 1 that nothing changes.
	tolerated bool
	// failed is the reason of the condition ScalingActive if the metric has no value, and problem what is wrong.
	failed, problem string
}

// recommend is the largest size that a metric asks for. If a metric has no value, the others count when they do not scale down
// (computeReplicasForMetrics). It returns false if there is no recommendation.
func (a *autoscaler) recommend() (largest proposal, ok bool) {
	if names := a.ambiguous(); len(names) > 0 {
		a.condition(autoscalingv2.ScalingActive, "AmbiguousSelector")
		a.out.Step("whose Pods", horizontalFile, "validateAndParseSelector").
			Line("selected by other autoscalers, too", "", arithmetic.Few(names))
		a.out.Verdict = "nothing: its Pods are those of another autoscaler, too: " + arithmetic.Few(names)
		return proposal{}, false
	}
	var first *proposal
	invalid, metrics := 0, a.hpa.Spec.Metrics
	for n := range metrics {
		p := a.propose(n)
		if p.failed != "" {
			invalid++
			if first == nil {
				first = &p
			}
			continue
		}
		if largest.replicas == 0 || p.replicas > largest.replicas {
			largest = p
		}
	}
	if invalid >= len(metrics) || invalid > 0 && largest.replicas < a.scale.replicas {
		a.condition(autoscalingv2.ScalingActive, first.failed)
		a.out.Verdict = "nothing: " + first.problem
		if invalid < len(metrics) {
			a.out.Verdict += fmt.Sprintf("; the other metrics want %d, but without all metrics it does not scale down", largest.replicas)
		}
		return largest, false
	}
	a.condition(autoscalingv2.ScalingActive, "ValidMetricFound")
	if len(metrics) > 1 {
		a.out.Step("the largest proposal counts", horizontalFile, "computeReplicasForMetrics").
			Line("replicas", trace.Count(len(metrics)-invalid, "metric")+" with a value", largest.replicas)
	}
	return largest, true
}

// propose asks one metric.
func (a *autoscaler) propose(n int) proposal {
	spec := &a.hpa.Spec.Metrics[n]
	switch spec.Type {
	case autoscalingv2.ResourceMetricSourceType:
		return a.resource(n, string(spec.Resource.Name), "", spec.Resource.Target, "FailedGetResourceMetric")
	case autoscalingv2.ContainerResourceMetricSourceType:
		of := spec.ContainerResource
		return a.resource(n, string(of.Name), of.Container, of.Target, "FailedGetContainerResourceMetric")
	case autoscalingv2.PodsMetricSourceType:
		return a.pods(n, spec.Pods)
	case autoscalingv2.ObjectMetricSourceType:
		return a.object(n, spec.Object)
	case autoscalingv2.ExternalMetricSourceType:
		return a.external(n, spec.External)
	}
	return proposal{failed: "InvalidMetricSourceType", problem: fmt.Sprintf("the type of metric %q is unknown", spec.Type)}
}

// discarding is another sync, of which only the result matters, not its explanation.
func (a *autoscaler) discarding(s observed.Sync, hpa *autoscalingv2.HorizontalPodAutoscaler) *autoscaler {
	return &autoscaler{Sync: s, out: &arithmetic.Explanation{}, hpa: hpa, typed: a.typed}
}
