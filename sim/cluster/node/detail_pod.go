package node

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// kubeletConditions are the conditions of a Pod that its kubelet owns, in the order in which it writes them:
// generateAPIPodStatus in k8s.io/kubernetes/pkg/kubelet/kubelet_pods.go.
var kubeletConditions = []corev1.PodConditionType{
	corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled,
}

// detailPod adds what controllers do not read to the status of a pod: the ids of its containers and images, which containers are not
// ready, whether it has a sandbox, and which generation of the pod the kubelet has seen.
func (k *Kubelets) detailPod(pod *corev1.Pod) {
	if k.version == "" {
		return
	}
	status := &pod.Status
	detailContainers(pod)
	sandbox := noSandbox(status)
	if sandbox == "" {
		setCondition(pod, corev1.PodReadyToStartContainers, corev1.ConditionTrue, "")
	} else {
		setCondition(pod, corev1.PodReadyToStartContainers, corev1.ConditionFalse, "PodSandboxNotReady")
	}
	if status.Phase == corev1.PodSucceeded {
		setCondition(pod, corev1.PodInitialized, corev1.ConditionTrue, "PodCompleted")
	}
	status.ObservedGeneration = pod.Generation
	for i := range status.Conditions {
		condition := &status.Conditions[i]
		if !slices.Contains(kubeletConditions, condition.Type) {
			continue
		}
		condition.ObservedGeneration, condition.Message = pod.Generation, ""
		switch {
		case condition.Type == corev1.PodReadyToStartContainers:
			condition.Message = sandbox
		case condition.Reason == "ContainersNotReady":
			condition.Message = fmt.Sprintf("containers with unready status: %s", unready(status.ContainerStatuses))
		}
	}
	slices.SortStableFunc(status.Conditions, func(a, b corev1.PodCondition) int {
		return slices.Index(kubeletConditions, a.Type) - slices.Index(kubeletConditions, b.Type)
	})
}

// noSandbox says why containers of a pod cannot start; empty if they can. The messages are those of
// k8s.io/kubernetes/pkg/kubelet/types/constants.go.
func noSandbox(status *corev1.PodStatus) string {
	switch {
	case status.PodIP == "":
		return "no pod sandbox exists"
	case status.Phase == corev1.PodSucceeded, status.Phase == corev1.PodFailed:
		return "pod sandbox is not ready"
	}
	return ""
}

// unready are the names of containers that are not ready.
func unready(containers []corev1.ContainerStatus) (names []string) {
	for _, container := range containers {
		if !container.Ready {
			names = append(names, container.Name)
		}
	}
	return names
}

// detailContainers adds the ids of containers that have started, and of their images.
func detailContainers(pod *corev1.Pod) {
	for i := range pod.Status.ContainerStatuses {
		status := &pod.Status.ContainerStatuses[i]
		if status.State.Waiting != nil && status.RestartCount == 0 {
			continue
		}
		status.ContainerID = fmt.Sprintf("%s://%s", runtimeName, digest(string(pod.UID), status.Name, fmt.Sprint(status.RestartCount)))
		status.ImageID = imageID(status.Image)
	}
}

// observe reports that the kubelet has seen a new generation of a pod that it has accepted.
func (k *Kubelets) observe(pod *corev1.Pod, seq int64) {
	if k.version == "" || pod.Status.StartTime == nil || pod.Status.ObservedGeneration >= pod.Generation {
		return
	}
	k.once(pod, fmt.Sprint("observe-", pod.Generation), 0, seq, func(pod *corev1.Pod, cause int64) {
		if pod.Status.ObservedGeneration < pod.Generation {
			k.writeStatus(pod, cause)
		}
	})
}

// stopContainers records that the kubelet stops the containers of a pod that is deleted.
func (k *Kubelets) stopContainers(pod *corev1.Pod, seq int64) {
	if k.version == "" || pod.Status.Phase != corev1.PodRunning {
		return
	}
	k.once(pod, killStage, 0, seq, k.tellKilling)
}
