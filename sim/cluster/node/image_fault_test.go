package node

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim"
)

func injectImage(w *sim.Simulation, k *Kubelets, glob string, fault PodFault) {
	w.Engine.Call("test|"+string(fault), func() { k.InjectImageFault(glob, fault, 0) })
}

func waiting(pod *corev1.Pod) string {
	if state := pod.Status.ContainerStatuses[0].State.Waiting; state != nil {
		return state.Reason
	}
	return ""
}

// TestAnImageThatCannotBePulled: a pod that starts waits as on a cluster, and runs when the image recovers.
func TestAnImageThatCannotBePulled(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		injectImage(w, k, "bad:*", FailsPull)
		_, err := w.Client("test").CoreV1().Pods("default").Create(t.Context(), &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "q"},
			Spec:       corev1.PodSpec{NodeName: "n", Containers: []corev1.Container{{Name: "c", Image: "bad:1"}}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Error(err)
		}
		podNow := func(t *testing.T, w *sim.Simulation) *corev1.Pod {
			obj, _ := stored(w, podResource, "default", "q")
			return obj.(*corev1.Pod)
		}
		for at, want := range []string{0: "", 1: "ErrImagePull", 11: "ImagePullBackOff"} {
			if want == "" {
				continue
			}
			until(time.Duration(at)*time.Second, w)
			if pod := podNow(t, w); pod.Status.Phase != corev1.PodPending || waiting(pod) != want {
				t.Errorf("%ds: %s, %s", at, pod.Status.Phase, waiting(pod))
			}
		}
		injectImage(w, k, "other", Recovers)
		until(40*time.Second, w)
		if pod := podNow(t, w); pod.Status.Phase != corev1.PodPending {
			t.Errorf("another image recovers, and the pod is %s", pod.Status.Phase)
		}
		injectImage(w, k, "*", Recovers)
		until(50*time.Second, w)
		if pod := podNow(t, w); pod.Status.Phase != corev1.PodRunning || !isReady(pod) {
			t.Errorf("the image recovers, and the pod is %s, %s", pod.Status.Phase, waiting(pod))
		}
	})
}

// TestAnImageThatCrashes: containers that run crash at once, with the kubelet's back-off, until the image recovers. Only then do they
// come to their end.
func TestAnImageThatCrashes(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		until(20*time.Second, w)
		if pod := podNow(t, w); !isReady(pod) {
			t.Fatal("it does not run")
		}
		injectImage(w, k, "*", CrashLoops)
		until(2*time.Minute, w)
		if pod := podNow(t, w); waiting(pod) != "CrashLoopBackOff" || pod.Status.ContainerStatuses[0].RestartCount < 2 {
			t.Errorf("%s after %d restarts", waiting(pod), pod.Status.ContainerStatuses[0].RestartCount)
		}
		injectImage(w, k, "*", Recovers)
		until(10*time.Minute, w)
		if pod := podNow(t, w); pod.Status.Phase != corev1.PodSucceeded {
			t.Errorf("the image recovers, and the pod is %s, %s", pod.Status.Phase, waiting(pod))
		}
	})
}
