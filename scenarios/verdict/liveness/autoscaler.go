package liveness

import (
	"fmt"
	"math"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
)

var autoscalers = Goal{
	Resource: autoscalingv2.Resource("horizontalpodautoscalers"), Controller: "horizontal-pod-autoscaler-controller",
	Sentence: "A HorizontalPodAutoscaler has the desired number of replicas, and its metrics are within the tolerance of their targets. " +
		"Otherwise, it is at spec.minReplicas, it keeps an earlier recommendation for the stabilization window, or a condition says why " +
		"it does not scale.",
	Upstream: "reconcileAutoscaler in k8s.io/kubernetes/pkg/controller/podautoscaler/horizontal.go; isWithin in replica_calculator.go",
	lack: func(v *view, object runtime.Object) *Lack {
		scaler, ok := object.(*autoscalingv2.HorizontalPodAutoscaler)
		if !ok || scaler.DeletionTimestamp != nil {
			return nil
		}
		for _, c := range scaler.Status.Conditions {
			if c.Status == corev1.ConditionFalse && c.Reason != scalingDisabled &&
				(c.Type == autoscalingv2.ScalingActive || c.Type == autoscalingv2.AbleToScale) {
				return &Lack{Missing: fmt.Sprintf("it does not scale: %s (%s)", c.Message, c.Reason), For: cure(scaler, c)}
			}
		}
		if keepingCondition(scaler) != nil {
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
		c := keepingCondition(scaler)
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

// keepingCondition is the condition because of which the replicas stay as they are, as the spec has it: the workload has none,
// spec.minReplicas is as few as there may be, spec.maxReplicas is the same number, or an earlier recommendation holds until the end of
// the stabilization window. Without such a condition, it is nil.
func keepingCondition(scaler *autoscalingv2.HorizontalPodAutoscaler) *autoscalingv2.HorizontalPodAutoscalerCondition {
	for i, c := range scaler.Status.Conditions {
		disabled := c.Status == corev1.ConditionFalse && c.Reason == scalingDisabled
		limited := c.Type == autoscalingv2.ScalingLimited && c.Status == corev1.ConditionTrue
		fewest := limited && (c.Reason == "TooFewReplicas" || c.Reason == tooMany && isFixed(scaler))
		stabilized := c.Type == autoscalingv2.AbleToScale && strings.HasSuffix(c.Reason, "Stabilized")
		same := scaler.Status.DesiredReplicas == scaler.Status.CurrentReplicas
		if disabled || same && (fewest || stabilized) {
			return &scaler.Status.Conditions[i]
		}
	}
	return nil
}

// tooMany is the reason of a condition: the metrics want more than spec.maxReplicas.
const tooMany = "TooManyReplicas"

// isFixed reports whether the user leaves the autoscaler one number to choose from.
func isFixed(scaler *autoscalingv2.HorizontalPodAutoscaler) bool {
	return ptr.Deref(scaler.Spec.MinReplicas, 1) == scaler.Spec.MaxReplicas
}

// unmetTarget compares metrics with their targets.
func unmetTarget(scaler *autoscalingv2.HorizontalPodAutoscaler) *Lack {
	for _, metric := range scaler.Spec.Metrics {
		for _, status := range scaler.Status.CurrentMetrics {
			m, ok := measured(metric, status)
			if !ok || m.target == 0 {
				continue
			}
			ratio := m.now / m.target
			replicas := scaler.Status.CurrentReplicas
			if math.Abs(ratio-1) <= tolerance(scaler, ratio) || int32(math.Ceil(ratio*float64(replicas))) == replicas {
				continue
			}
			lack := &Lack{Missing: m.text}
			if lack.For = limitOf(scaler); lack.For == "" {
				lack.For = "Pods that are not Ready or have no metrics, or another metric that asks for more replicas"
			}
			return lack
		}
	}
	return nil
}

// cure is what has to change before an autoscaler scales, by the condition that says that it cannot.
func cure(scaler *autoscalingv2.HorizontalPodAutoscaler, c autoscalingv2.HorizontalPodAutoscalerCondition) string {
	switch {
	case c.Reason == "FailedGetScale":
		return fmt.Sprintf("its target, %s %s", scaler.Spec.ScaleTargetRef.Kind, scaler.Spec.ScaleTargetRef.Name)
	case c.Reason == "AmbiguousSelector":
		return "a selector that matches the Pods of one HorizontalPodAutoscaler only"
	case strings.HasPrefix(c.Reason, "FailedGet"):
		return "its metrics"
	}
	return fmt.Sprintf("its condition %s to be True", c.Type)
}

// limitOf is what limits the replicas, by the conditions.
func limitOf(scaler *autoscalingv2.HorizontalPodAutoscaler) string {
	for _, c := range scaler.Status.Conditions {
		limited := c.Type == autoscalingv2.ScalingLimited && c.Status == corev1.ConditionTrue
		held := c.Type == autoscalingv2.AbleToScale && c.Reason != "ReadyForNewScale" && c.Reason != "SucceededRescale"
		switch {
		case limited && c.Reason == tooMany:
			return fmt.Sprintf("less load, or more than the %d replicas of spec.maxReplicas: %s (%s)", scaler.Spec.MaxReplicas,
				c.Message, c.Reason)
		case limited || held:
			return fmt.Sprintf("this limit to end: %s (%s)", c.Message, c.Reason)
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
