//go:build kubernetes_before_1_36

package autoscaling

import autoscalingv2 "k8s.io/api/autoscaling/v2"

// scaledToZero is no condition: the controller does not remember who has scaled down to 0, and leaves what has no replicas alone.
const scaledToZero autoscalingv2.HorizontalPodAutoscalerConditionType = ""
