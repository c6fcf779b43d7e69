package node

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// setCondition changes a pod condition; the transition time changes only with the status.
func setCondition(pod *corev1.Pod, kind corev1.PodConditionType, status corev1.ConditionStatus, reason string) {
	now := metav1.Now()
	for i := range pod.Status.Conditions {
		condition := &pod.Status.Conditions[i]
		if condition.Type != kind {
			continue
		}
		if condition.Status != status {
			condition.LastTransitionTime = now
		}
		condition.Status, condition.Reason = status, reason
		return
	}
	pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
		Type: kind, Status: status, Reason: reason, LastTransitionTime: now,
	})
}

// correctScheduled sets PodScheduled to true if a scheduler says otherwise: one that binds a pod twice reports that the second time failed.
// The kubelet knows better (generateAPIPodStatus in pkg/kubelet/kubelet_pods.go). It returns false if nothing was wrong.
func correctScheduled(pod *corev1.Pod) bool {
	i := slices.IndexFunc(pod.Status.Conditions, isUnscheduled)
	if i >= 0 {
		c := &pod.Status.Conditions[i]
		c.Status, c.Reason, c.Message, c.LastTransitionTime = corev1.ConditionTrue, "", "", metav1.Now()
	}
	return i >= 0
}

func isUnscheduled(c corev1.PodCondition) bool {
	return c.Type == corev1.PodScheduled && c.Status != corev1.ConditionTrue
}

// reconcilePeriod is how often a kubelet compares the statuses in the API server with its own (syncPeriod in
// pkg/kubelet/status/status_manager.go).
const reconcilePeriod = 10 * time.Second

// watchScheduled corrects PodScheduled of a pod that has a status of the kubelet, also if nothing else of the pod changes any more.
func (k *Kubelets) watchScheduled(pod *corev1.Pod, seq int64) {
	if pod.Status.StartTime == nil || !slices.ContainsFunc(pod.Status.Conditions, isUnscheduled) {
		return
	}
	k.once(pod, "correct", reconcilePeriod, seq, func(pod *corev1.Pod, cause int64) {
		delete(k.stages[pod.UID], "correct")
		if correctScheduled(pod) {
			k.writeStatus(pod, cause)
		}
	})
}

func setWaiting(pod *corev1.Pod, reason string) {
	setContainers(pod, false, corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}})
}

// setContainers sets the same state for every container of the pod.
func setContainers(pod *corev1.Pod, ready bool, state corev1.ContainerState) {
	pod.Status.ContainerStatuses = nil
	for _, container := range pod.Spec.Containers {
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: container.Name, Image: container.Image, Ready: ready, Started: &ready, State: state,
		})
	}
}

// failsPull reports whether a pod already reports that its image cannot be pulled, as a restored one may.
func failsPull(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool {
		return c.State.Waiting != nil && (c.State.Waiting.Reason == "ErrImagePull" || c.State.Waiting.Reason == "ImagePullBackOff")
	})
}
