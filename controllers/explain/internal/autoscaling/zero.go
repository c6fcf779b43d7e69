//go:build !kubernetes_before_1_36

package autoscaling

import autoscalingv2 "k8s.io/api/autoscaling/v2"

// scaledToZero is the condition of an autoscaler that has scaled down to 0 itself.
const scaledToZero = autoscalingv2.ScaledToZero
