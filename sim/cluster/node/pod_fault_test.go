package node

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim"
)

func inject(t *testing.T, w *sim.Simulation, k *Kubelets, fault PodFault) {
	t.Helper()
	w.Engine.Call("test|"+string(fault), func() {
		if err := k.InjectFault("default", "p", fault, 1, 0); err != nil {
			t.Error(err)
		}
	})
}

func podNow(t *testing.T, w *sim.Simulation) *corev1.Pod {
	t.Helper()
	obj, found := stored(w, podResource, "default", "p")
	if !found {
		t.Fatal("the pod is gone")
	}
	return obj.(*corev1.Pod)
}

func isReady(pod *corev1.Pod) bool { return pod.Status.ContainerStatuses[0].Ready }

// TestHangs: a pod that hangs outlives its deletion, and goes at once when it recovers.
func TestHangs(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		until(20*time.Second, w)
		inject(t, w, k, Hangs)
		deletePod(t, w)
		until(5*time.Minute, w)
		if !exists(w) {
			t.Error("it went")
		}
		inject(t, w, k, Recovers)
		if exists(w) {
			t.Error("it is still there")
		}
	})
}

// TestTroubleOfANodeThatIsDown: nobody hears that a pod is not Ready as long as its node cannot be reached.
func TestTroubleOfANodeThatIsDown(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		until(10*time.Second, w)
		k.Partition("n")
		inject(t, w, k, Unready)
		until(20*time.Second, w)
		if !isReady(podNow(t, w)) {
			t.Error("somebody heard of it")
		}
		k.Recover("n")
		until(30*time.Second, w)
		if isReady(podNow(t, w)) {
			t.Error("nobody heard of it")
		}
		inject(t, w, k, Recovers)
		if !isReady(podNow(t, w)) {
			t.Error("it did not recover")
		}
	})
}

// TestCrashLoop counts the restarts: at 10s, 21s, 42s and 83s; recovering restarts the container once more.
func TestCrashLoop(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		until(10*time.Second, w)
		inject(t, w, k, CrashLoops)
		for at, want := range []int32{10: 1, 20: 1, 22: 2, 40: 2, 43: 3, 50: 3} {
			if want == 0 {
				continue
			}
			until(time.Duration(at)*time.Second+time.Second/2, w)
			if got := podNow(t, w).Status.ContainerStatuses[0].RestartCount; got != want {
				t.Errorf("at %ds: %d restarts, want %d", at, got, want)
			}
		}
		inject(t, w, k, Recovers)
		if pod := podNow(t, w); !isReady(pod) || pod.Status.ContainerStatuses[0].RestartCount != 4 {
			t.Errorf("it did not recover: %+v", pod.Status.ContainerStatuses[0])
		}
	})
}

func TestBackOff(t *testing.T) {
	for restarts, want := range []time.Duration{0, 10, 20, 40, 80, 160, 300, 300} {
		if got := backOff(int32(restarts)); got != want*time.Second {
			t.Errorf("after %d restarts: %s", restarts, got)
		}
	}
}
