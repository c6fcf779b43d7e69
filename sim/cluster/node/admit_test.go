package node

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// rejects lets the kubelets reject a pod.
func rejects(w *sim.Simulation, reason string) {
	w.Engine.Call("test|arm", func() {
		w.Arm(&fault.Rule{Name: "full", Place: fault.Kubelets, Times: 1, Effect: fault.Effect{Reject: reason}}, 0)
	})
}

// TestARejectedPodFails: a kubelet that rejects a pod never starts its containers, and the pod stays Failed until somebody deletes it. The
// next one of that name is admitted.
func TestARejectedPodFails(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		until(20*time.Second, w)
		if phase := podNow(t, w).Status.Phase; phase != corev1.PodRunning {
			t.Errorf("before the fault, the pod is %s", phase)
		}
		rejects(w, "OutOfcpu")
		deletePod(t, w)
		until(time.Minute, w)
		createPod(t, w)
		until(5*time.Minute, w)
		status := podNow(t, w).Status
		if status.Phase != corev1.PodFailed || status.Reason != "OutOfcpu" || status.Message != "Pod was rejected: an injected fault (full)" {
			t.Errorf("the pod is %s, %s: %q", status.Phase, status.Reason, status.Message)
		}
		if len(status.ContainerStatuses) > 0 || status.PodIP != "" {
			t.Errorf("it has containers or an address: %v, %q", status.ContainerStatuses, status.PodIP)
		}
		deletePod(t, w)
		until(6*time.Minute, w)
		createPod(t, w)
		until(6*time.Minute+30*time.Second, w)
		if phase := podNow(t, w).Status.Phase; phase != corev1.PodRunning {
			t.Errorf("after the fault, the pod is %s", phase)
		}
	})
}
