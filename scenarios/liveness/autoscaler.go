package liveness

import (
	"fmt"
	"math"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var autoscalers = Goal{
	Resource: autoscalingv2.Resource("horizontalpodautoscalers"), Controller: "horizontal-pod-autoscaler-controller",
	Sentence: "A HorizontalPodAutoscaler has the replicas that it wants, and its metrics are within the tolerance of their targets, " +
		"or it is at spec.minReplicas, or keeps an earlier recommendation for its stabilization window; otherwise a condition says what keeps " +
		"it from scaling.",
	Upstream: "reconcileAutoscaler in k8s.io/kubernetes/pkg/controller/podautoscaler/horizontal.go; isWithin in replica_calculator.go",
	lack: func(v *view, object runtime.Object) *Lack {
		scaler, ok := object.(*autoscalingv2.HorizontalPodAutoscaler)
		if !ok || scaler.DeletionTimestamp != nil {
			return nil
		}
		for _, c := range scaler.Status.Conditions {
			if c.Status == corev1.ConditionFalse && c.Reason != scalingDisabled &&
				(c.Type == autoscalingv2.ScalingActive || c.Type == autoscalingv2.AbleToScale) {
				return &Lack{Missing: "it does not scale", For: fmt.Sprintf("the end of %s: %s", c.Reason, c.Message)}
			}
		}
		if keeps(scaler) != nil {
			return nil
		}
		status := scaler.Status
		if status.DesiredReplicas != status.CurrentReplicas {
			return &Lack{Missing: fmt.Sprintf("status.desiredReplicas is %d, but status.currentReplicas is %d",
				status.DesiredReplicas, status.CurrentReplicas)}
		}
		return unmetTarget(scaler)
	},
	note: func(_ *view, object runtime.Object) string {
		scaler, ok := object.(*autoscalingv2.HorizontalPodAutoscaler)
		if !ok {
			return ""
		}
		c := keeps(scaler)
		if c == nil {
			return ""
		}
		text := fmt.Sprintf("it keeps %d replicas (%s): %s", scaler.Status.CurrentReplicas, c.Reason, c.Message)
		if lack := unmetTarget(scaler); lack != nil {
			text = lack.Missing + "; " + text
		}
		return text
	},
}

// scalingDisabled is the reason of a condition: the workload has no replicas.
const scalingDisabled = "ScalingDisabled"

// keeps is the condition because of which the replicas stay as they are, as the spec has it: the workload has none, spec.minReplicas
// is as few as there may be, or an earlier recommendation holds until the end of the stabilization window. It is nil if there is
// no such condition.
func keeps(scaler *autoscalingv2.HorizontalPodAutoscaler) *autoscalingv2.HorizontalPodAutoscalerCondition {
	for i, c := range scaler.Status.Conditions {
		disabled := c.Status == corev1.ConditionFalse && c.Reason == scalingDisabled
		fewest := c.Type == autoscalingv2.ScalingLimited && c.Reason == "TooFewReplicas"
		stabilized := c.Type == autoscalingv2.AbleToScale && strings.HasSuffix(c.Reason, "Stabilized")
		same := scaler.Status.DesiredReplicas == scaler.Status.CurrentReplicas
		if disabled || same && (fewest || stabilized) {
			return &scaler.Status.Conditions[i]
		}
	}
	return nil
}

// unmetTarget compares the utilization of resources with its target.
func unmetTarget(scaler *autoscalingv2.HorizontalPodAutoscaler) *Lack {
	for _, metric := range scaler.Spec.Metrics {
		if metric.Resource == nil || metric.Resource.Target.AverageUtilization == nil {
			continue
		}
		for _, is := range scaler.Status.CurrentMetrics {
			if is.Resource == nil || is.Resource.Name != metric.Resource.Name || is.Resource.Current.AverageUtilization == nil {
				continue
			}
			now, target := *is.Resource.Current.AverageUtilization, *metric.Resource.Target.AverageUtilization
			ratio := float64(now) / float64(target)
			replicas := scaler.Status.CurrentReplicas
			if math.Abs(ratio-1) <= tolerance(scaler, ratio) || int32(math.Ceil(ratio*float64(replicas))) == replicas {
				continue
			}
			lack := &Lack{Missing: fmt.Sprintf("the average utilization of %s is %d%%, and its target is %d%%",
				metric.Resource.Name, now, target)}
			if lack.For = holds(scaler); lack.For == "" {
				lack.For = "Pods that are not Ready or have no metrics, or another metric that wants more replicas"
			}
			return lack
		}
	}
	return nil
}

// holds is the condition that limits the replicas.
func holds(scaler *autoscalingv2.HorizontalPodAutoscaler) string {
	for _, c := range scaler.Status.Conditions {
		limited := c.Type == autoscalingv2.ScalingLimited && c.Status == corev1.ConditionTrue
		held := c.Type == autoscalingv2.AbleToScale && c.Reason != "ReadyForNewScale" && c.Reason != "SucceededRescale"
		if limited || held {
			return fmt.Sprintf("the end of %s: %s", c.Reason, c.Message)
		}
	}
	return ""
}

// tolerance is that of the direction, by default 0.1 (--horizontal-pod-autoscaler-tolerance).
func tolerance(scaler *autoscalingv2.HorizontalPodAutoscaler, ratio float64) float64 {
	if behavior := scaler.Spec.Behavior; behavior != nil {
		rules := behavior.ScaleDown
		if ratio > 1 {
			rules = behavior.ScaleUp
		}
		if rules != nil && rules.Tolerance != nil {
			return rules.Tolerance.AsApproximateFloat64()
		}
	}
	return 0.1
}
