package node

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// deadlineMessage is what the kubelet says of a pod that it ends (pkg/kubelet/active_deadline.go).
const deadlineMessage = "Pod was active on the node longer than the specified deadline"

// watchDeadline ends a pod that has been active for its activeDeadlineSeconds, counted from its startTime. The field may be set or
// lowered while the pod runs.
func (k *Kubelets) watchDeadline(pod *corev1.Pod, cause int64) {
	deadline := pod.Spec.ActiveDeadlineSeconds
	if deadline == nil || pod.Status.StartTime == nil {
		return
	}
	ends := pod.Status.StartTime.Add(time.Duration(*deadline) * time.Second)
	k.once(pod, "deadline "+strconv.FormatInt(*deadline, 10), max(0, ends.Sub(k.sim.Engine.Date())), cause, k.exceed)
}

// exceed ends a pod whose deadline is over.
func (k *Kubelets) exceed(pod *corev1.Pod, cause int64) {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return
	}
	pod.Status.Reason, pod.Status.Message = "DeadlineExceeded", deadlineMessage
	k.end(pod, corev1.PodFailed, exitCodeTerminated, cause)
}
