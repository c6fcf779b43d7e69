package liveness

import (
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
)

// measure is the value of a metric of an autoscaler, and the target that it has.
type measure struct {
	now, target float64
	// text is a clause that says both.
	text string
}

// measured compares a metric in the spec with one in the status; ok is false if that is not the same one, or has no value.
func measured(spec autoscalingv2.MetricSpec, status autoscalingv2.MetricStatus) (m measure, ok bool) {
	switch {
	case spec.Resource != nil && status.Resource != nil:
		return compared(string(spec.Resource.Name), string(status.Resource.Name), spec.Resource.Target, status.Resource.Current)
	case spec.ContainerResource != nil && status.ContainerResource != nil:
		of, is := spec.ContainerResource, status.ContainerResource
		return compared(fmt.Sprintf("%s in container %s", of.Name, of.Container),
			fmt.Sprintf("%s in container %s", is.Name, is.Container), of.Target, is.Current)
	case spec.Pods != nil && status.Pods != nil:
		return compared("metric "+spec.Pods.Metric.Name, "metric "+status.Pods.Metric.Name, spec.Pods.Target, status.Pods.Current)
	case spec.Object != nil && status.Object != nil:
		of, is := spec.Object, status.Object
		return compared(described(of.Metric, of.DescribedObject), described(is.Metric, is.DescribedObject), of.Target, is.Current)
	case spec.External != nil && status.External != nil:
		of, is := spec.External, status.External
		return compared("external metric "+of.Metric.Name, "external metric "+is.Metric.Name, of.Target, is.Current)
	}
	return measure{}, false
}

// described is the name of a metric of an object.
func described(metric autoscalingv2.MetricIdentifier, of autoscalingv2.CrossVersionObjectReference) string {
	return fmt.Sprintf("metric %s of %s %s", metric.Name, of.Kind, of.Name)
}

// compared compares the values of the metrics name and other, if they are the same one.
func compared(name, other string, target autoscalingv2.MetricTarget, now autoscalingv2.MetricValueStatus) (m measure, ok bool) {
	switch {
	case name != other:
		return measure{}, false
	case target.AverageUtilization != nil && now.AverageUtilization != nil:
		return measure{float64(*now.AverageUtilization), float64(*target.AverageUtilization), fmt.Sprintf(
			"the average utilization of %s is %d%%, and its target is %d%%", name, *now.AverageUtilization, *target.AverageUtilization)}, true
	case target.AverageValue != nil && now.AverageValue != nil:
		return quantities("the average of "+name, now.AverageValue, target.AverageValue), true
	case target.Value != nil && now.Value != nil:
		return quantities(name, now.Value, target.Value), true
	}
	return measure{}, false
}

func quantities(name string, now, target *resource.Quantity) measure {
	return measure{now.AsApproximateFloat64(), target.AsApproximateFloat64(),
		fmt.Sprintf("%s is %s, and its target is %s", name, now, target)}
}
