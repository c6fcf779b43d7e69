package autoscaling

import (
	"fmt"
	"math"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metricsclient "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

// perPod is a metric that has a value for each Pod, and its target.
type perPod struct {
	step     *arithmetic.Step
	resource corev1.ResourceName
	metrics  metricsclient.PodMetricsInfo
	// divide compares the usage with the target.
	divide func(metricsclient.PodMetricsInfo) (division, error)
	// missing is the value of a Pod without a metric when the others are below the target.
	missing func(pod string) int64
	// assumed says what that value is.
	assumed string
}

// division is a usage divided by its target: the average usage of a Pod, and "44% / 50%".
type division struct {
	ratio            float64
	average, formula string
}

// resource computes a metric of the type Resource or ContainerResource.
func (a *autoscaler) resource(n int, name, container string, target autoscalingv2.MetricTarget, failed string) proposal {
	title := "metric " + name
	if container != "" {
		title += " of container " + container
	}
	var items []metricsv1beta1.PodMetrics
	if problem := a.answer(n, &items); problem != "" {
		return a.without(title, failed, problem)
	}
	m := &perPod{resource: corev1.ResourceName(name)}
	m.metrics = usage(items, m.resource, container)
	if target.AverageValue != nil {
		m.step = a.out.Step(title, calculatorFile, "GetRawResourceReplicas")
		m.average(target.AverageValue)
		return a.plain(m, failed)
	}
	m.step = a.out.Step(title, calculatorFile, "GetResourceReplicas")
	pods := a.selected()
	of, problem := requests(pods, container, m.resource)
	percent := *target.AverageUtilization
	m.divide = func(info metricsclient.PodMetricsInfo) (division, error) {
		ratio, utilization, average, err := metricsclient.GetResourceUtilizationRatio(info, of, percent)
		return division{ratio, fmt.Sprintf("%s, %d%% of the request", milli(average), utilization),
			fmt.Sprintf("%d%% / %d%%", utilization, percent)}, err
	}
	full := int64(max(100, percent))
	m.missing = func(pod string) int64 { return of[pod] * full / 100 }
	m.assumed = fmt.Sprintf("%d%% of the request", full)
	return a.compute(m, pods, failed, problem)
}

// pods computes a metric of the type Pods.
func (a *autoscaler) pods(n int, spec *autoscalingv2.PodsMetricSource) proposal {
	title := "metric " + spec.Metric.Name + " of Pods"
	var items []customv1beta2.MetricValue
	if problem := a.answer(n, &items); problem != "" {
		return a.without(title, "FailedGetPodsMetric", problem)
	}
	m := &perPod{metrics: values(items), step: a.out.Step(title, calculatorFile, "GetMetricReplicas")}
	m.average(spec.Target.AverageValue)
	return a.plain(m, "FailedGetPodsMetric")
}

// average compares with a value for each Pod.
func (m *perPod) average(target *apiresource.Quantity) {
	m.divide = func(info metricsclient.PodMetricsInfo) (division, error) {
		ratio, average := metricsclient.GetMetricUsageRatio(info, target.MilliValue())
		return division{ratio, milli(average), fmt.Sprintf("%s / %s", milli(average), target)}, nil
	}
	m.missing = func(string) int64 { return target.MilliValue() }
	m.assumed = "exactly the target"
}

// plain computes a metric that is not a percentage of the requests.
func (a *autoscaler) plain(m *perPod, failed string) proposal {
	return a.compute(m, a.selected(), failed, "")
}

// without notes a metric that has no value.
func (a *autoscaler) without(title, reason, problem string) proposal {
	a.out.Step(title, calculatorFile, "").Line("no value", problem, nil)
	return proposal{failed: reason, problem: title + ": " + problem}
}

// object computes a metric of the type Object: one value, of an object such as a Service.
func (a *autoscaler) object(n int, spec *autoscalingv2.ObjectMetricSource) proposal {
	const failed = "FailedGetObjectMetric"
	title := fmt.Sprintf("metric %s of %s %s", spec.Metric.Name, spec.DescribedObject.Kind, spec.DescribedObject.Name)
	var items []customv1beta2.MetricValue
	if problem := a.answer(n, &items); problem != "" {
		return a.without(title, failed, problem)
	}
	value := items[0].Value.MilliValue()
	if spec.Target.Type == autoscalingv2.ValueMetricType {
		return a.single(a.out.Step(title, calculatorFile, "GetObjectMetricReplicas"), value, spec.Target.Value, failed)
	}
	return a.shared(a.out.Step(title, calculatorFile, "GetObjectPerPodMetricReplicas"), value, spec.Target.AverageValue)
}

// external computes a metric of the type External: the sum of all values that the API returns.
func (a *autoscaler) external(n int, spec *autoscalingv2.ExternalMetricSource) proposal {
	const failed = "FailedGetExternalMetric"
	title := "external metric " + spec.Metric.Name
	var items []externalv1beta1.ExternalMetricValue
	if problem := a.answer(n, &items); problem != "" {
		return a.without(title, failed, problem)
	}
	if spec.Target.AverageValue != nil {
		return a.shared(a.out.Step(title, calculatorFile, "GetExternalPerPodMetricReplicas"), total(items), spec.Target.AverageValue)
	}
	return a.single(a.out.Step(title, calculatorFile, "GetExternalMetricReplicas"), total(items), spec.Target.Value, failed)
}

// single compares one value with one target. The ratio applies to the Pods that are Ready (getUsageRatioReplicaCount).
func (a *autoscaler) single(step *arithmetic.Step, value int64, target *apiresource.Quantity, failed string) proposal {
	ratio := float64(value) / float64(target.MilliValue())
	step.Line("ratio", fmt.Sprintf("%s / %s", milli(value), target), short(ratio))
	why := fmt.Sprintf("%s / %s = %s", milli(value), target, short(ratio))
	if a.scale.replicas == 0 {
		wanted := int32(math.Ceil(ratio))
		step.Line("replicas", "from 0, the ratio", rounded(ratio))
		return proposal{replicas: wanted, why: fmt.Sprintf("%s / %s = %s", milli(value), target, upTo(ratio))}
	}
	if a.isWithin(step, ratio) {
		return proposal{replicas: a.scale.replicas, why: why + ", within the tolerance", tolerated: true}
	}
	pods := a.selected()
	if len(pods) == 0 {
		return proposal{failed: failed, problem: "no Pod matches the selector " + a.scale.selector.String()}
	}
	ready := readyPods(pods)
	exact := ratio * float64(ready)
	wanted := int32(math.Ceil(min(exact, math.MaxInt32)))
	step.Line("replicas", fmt.Sprintf("%s x %d ready Pods = %s", short(ratio), ready, short(exact)), rounded(exact))
	return proposal{replicas: wanted, why: fmt.Sprintf("%s, x %d ready Pods = %s", why, ready, upTo(exact))}
}

// shared divides one value by the target of each Pod.
func (a *autoscaler) shared(step *arithmetic.Step, value int64, target *apiresource.Quantity) proposal {
	status := a.scale.status
	ratio := float64(value) / (float64(target.MilliValue()) * float64(status))
	step.Line("ratio", fmt.Sprintf("%s / (%s x status.replicas %d)", milli(value), target, status), short(ratio))
	why := fmt.Sprintf("%s / (%s x %d) = %s", milli(value), target, status, short(ratio))
	if a.isWithin(step, ratio) {
		return proposal{replicas: status, why: why + ", within the tolerance", tolerated: true}
	}
	exact := float64(value) / float64(target.MilliValue())
	wanted := int32(math.Ceil(min(exact, math.MaxInt32)))
	step.Line("replicas", fmt.Sprintf("%s / %s = %s", milli(value), target, short(exact)), rounded(exact))
	return proposal{replicas: wanted, why: fmt.Sprintf("%s / %s = %s", milli(value), target, upTo(exact))}
}

// milli is a number of thousandths as a quantity: 1500 is 1500m, 2000 is 2.
func milli(n int64) string { return apiresource.NewMilliQuantity(n, apiresource.DecimalSI).String() }
