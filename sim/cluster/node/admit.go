package node

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// rejectedText begins the message of a pod that its kubelet rejects (rejectPod in pkg/kubelet/kubelet.go).
const rejectedText = "Pod was rejected: "

// admits reports whether a kubelet admits a pod that is bound to its node. It rejects the pod if a fault says so: the pod fails for good,
// and none of its containers has ever run.
func (k *Kubelets) admits(pod *corev1.Pod, cause int64) bool {
	why, rejected := k.sim.Reject(Actor, pod, cause)
	if !rejected {
		return true
	}
	now := metav1.Now()
	pod.Status.StartTime = &now
	pod.Status.Phase, pod.Status.Reason, pod.Status.Message = corev1.PodFailed, why.Reason, rejectedText+why.Message
	k.tellRejected(pod, why.Seq, why.Reason, why.Message)
	k.sendStatus(pod, why.Seq)
	return false
}
