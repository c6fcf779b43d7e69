package node

import (
	"context"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
)

// alone plays a simulation with one node and one pod on it, which takes 10 s to end, and lets act happen.
func alone(t *testing.T, act func(w *sim.Simulation, k *Kubelets)) {
	t.Helper()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := engine.Bubble(begin, func() {
		w, err := sim.New(sim.Options{Seed: 1})
		if err != nil {
			t.Error(err)
			return
		}
		defer w.End()
		grace := Delay{Min: 10 * time.Second, Max: 10 * time.Second}
		done := Delay{Min: time.Minute, Max: time.Minute}
		k := Start(w, []Rule{{Terminate: grace, Complete: &done}})
		if err := k.AddNodes([]Spec{{Name: "n", Pods: 9}}, 10*time.Second); err != nil {
			t.Error(err)
		}
		w.Go("test", func(context.Context) {
			createPod(t, w)
			act(w, k)
		})
		w.Run(10 * time.Minute)
	}); err != nil {
		t.Fatal(err)
	}
}

// createPod creates the pod.
func createPod(t *testing.T, w *sim.Simulation) {
	t.Helper()
	_, err := w.Client("test").CoreV1().Pods("default").Create(context.Background(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p"},
		Spec:       corev1.PodSpec{NodeName: "n", Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Error(err)
	}
}

func until(at time.Duration, w *sim.Simulation) { time.Sleep(at - w.Engine.Now()) }

func deletePod(t *testing.T, w *sim.Simulation) {
	t.Helper()
	if err := w.Client("test").CoreV1().Pods("default").Delete(context.Background(), "p", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
}

// stored looks into the store, which belongs to the engine's goroutine.
func stored(w *sim.Simulation, resource schema.GroupVersionResource, namespace, name string) (obj runtime.Object, found bool) {
	w.Engine.Call("look", func() { obj, found = w.State.Get(resource.GroupResource(), namespace, name) })
	return obj, found
}

func exists(w *sim.Simulation) bool {
	_, found := stored(w, podResource, "default", "p")
	return found
}

// TestAPartitionIsNoFailure: a node that failed has forgotten nothing and lost time, so what is due happens at
// once. A kubelet that was cut off hears of the deletion only now, and gives the pod its grace period.
func TestAPartitionIsNoFailure(t *testing.T) {
	for _, test := range []struct {
		name string
		stop func(k *Kubelets)
		gone time.Duration
	}{
		{"failed", func(k *Kubelets) { k.Fail("n") }, 0},
		{"cut off", func(k *Kubelets) { k.Partition("n") }, 10 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			alone(t, func(w *sim.Simulation, k *Kubelets) {
				until(10*time.Second, w)
				test.stop(k)
				deletePod(t, w)
				until(50*time.Second, w)
				if !exists(w) {
					t.Error("the pod went although nobody could hear of it")
				}
				k.Recover("n")
				if test.gone > 0 {
					until(50*time.Second+test.gone-time.Second, w)
					if !exists(w) {
						t.Error("the pod has lost its grace period")
					}
				}
				until(50*time.Second+test.gone+time.Second, w)
				if exists(w) {
					t.Error("the pod is still there")
				}
			})
		})
	}
}

// TestWhatIsDoneBehindAPartitionIsToldLater: the pod completes on time, and that is written afterwards.
func TestWhatIsDoneBehindAPartitionIsToldLater(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		phase := func() corev1.PodPhase {
			pod, _ := stored(w, podResource, "default", "p")
			return pod.(*corev1.Pod).Status.Phase
		}
		until(10*time.Second, w)
		k.Partition("n")
		until(90*time.Second, w)
		if phase() != corev1.PodRunning {
			t.Errorf("phase %s, while nobody can tell", phase())
		}
		k.Recover("n")
		until(91*time.Second, w)
		if phase() != corev1.PodSucceeded {
			t.Errorf("phase %s", phase())
		}
	})
}

func TestASkewedClockShowsInTheLease(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		k.Skew(-time.Minute, "n")
		until(30*time.Second, w)
		lease, _ := stored(w, leaseResource, corev1.NamespaceNodeLease, "n")
		renewed := lease.(*coordinationv1.Lease).Spec.RenewTime.Sub(w.Engine.Zero())
		if renewed > -30*time.Second || renewed < -time.Minute {
			t.Errorf("renewed at %s on a clock that is a minute behind", renewed)
		}
	})
}

// TestAFinalizerLeavesAnEndedPod: what a finalizer keeps after its grace period is not a running pod any more. The Job
// controller counts such a pod, and may wait for its phase before it creates the next one.
func TestAFinalizerLeavesAnEndedPod(t *testing.T) {
	alone(t, func(w *sim.Simulation, _ *Kubelets) {
		until(5*time.Second, w)
		patch := []byte(`{"metadata": {"finalizers": ["example.com/kept"]}}`)
		if _, err := w.Client("test").CoreV1().Pods("default").Patch(context.Background(), "p", types.MergePatchType,
			patch, metav1.PatchOptions{}); err != nil {
			t.Error(err)
		}
		until(10*time.Second, w)
		deletePod(t, w)
		until(19*time.Second, w)
		if phase := currentPhase(w); phase != corev1.PodRunning {
			t.Errorf("in its grace period the pod is %s", phase)
		}
		until(21*time.Second, w)
		if phase := currentPhase(w); phase != corev1.PodFailed {
			t.Errorf("after its grace period the pod is %s", phase)
		}
	})
}

func currentPhase(w *sim.Simulation) corev1.PodPhase {
	obj, found := stored(w, podResource, "default", "p")
	if !found {
		return "gone"
	}
	return obj.(*corev1.Pod).Status.Phase
}

// TestAPodOnNoNodeStaysPending: the pod of a node that never existed has no kubelet. One that is created later, even by somebody else,
// starts it, and keeps running it when its Node object is deleted.
func TestAPodOnNoNodeStaysPending(t *testing.T) {
	alone(t, func(w *sim.Simulation, _ *Kubelets) {
		client, ctx := w.Client("test").CoreV1(), context.Background()
		create := func(pod, node string) {
			_, err := client.Pods("default").Create(ctx, &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: pod},
				Spec:       corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "c", Image: "i"}}},
			}, metav1.CreateOptions{})
			if err != nil {
				t.Error(err)
			}
		}
		phase := func(at time.Duration, pod string, want corev1.PodPhase) {
			t.Helper()
			until(at, w)
			obj, found := stored(w, podResource, "default", pod)
			if !found || obj.(*corev1.Pod).Status.Phase != want {
				t.Errorf("%s: pod %s is not %s: %v", at, pod, want, obj)
			}
		}
		create("lost", "nowhere")
		phase(time.Minute, "lost", corev1.PodPending)
		if obj, _ := stored(w, podResource, "default", "lost"); obj.(*corev1.Pod).Status.StartTime != nil {
			t.Error("a kubelet has accepted the pod")
		}
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "nowhere"}}
		if _, err := client.Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
		phase(time.Minute+time.Second, "lost", corev1.PodRunning)
		if err := client.Nodes().Delete(ctx, "nowhere", metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
		create("late", "nowhere")
		phase(time.Minute+2*time.Second, "late", corev1.PodRunning)
	})
}

// TestAPodIsAcceptedBeforeItStarts: on a node that recovers, both are due at one time. A Pod that starts first has what the kubelet knows
// when it accepts it, too: its start time, and the address of its node.
func TestAPodIsAcceptedBeforeItStarts(t *testing.T) {
	alone(t, func(w *sim.Simulation, k *Kubelets) {
		k.Fail("n")
		until(10*time.Second, w)
		k.Recover("n")
		until(11*time.Second, w)
		obj, _ := stored(w, podResource, "default", "p")
		if status := obj.(*corev1.Pod).Status; status.Phase != corev1.PodRunning || status.HostIP == "" || status.StartTime == nil {
			t.Errorf("%+v", status)
		}
	})
}

// TestAKubeletKnowsThatItsPodIsScheduled: a scheduler with an outdated cache binds a pod again, fails, and says so in its status. The kubelet
// corrects it within 10 seconds, though nothing else happens to the pod.
func TestAKubeletKnowsThatItsPodIsScheduled(t *testing.T) {
	alone(t, func(w *sim.Simulation, _ *Kubelets) {
		until(10*time.Second, w)
		patch := []byte(`{"status": {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "SchedulerError"}]}}`)
		_, err := w.Client("kube-scheduler").CoreV1().Pods("default").Patch(
			context.Background(), "p", types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
		if err != nil {
			t.Error(err)
		}
		until(21*time.Second, w)
		obj, _ := stored(w, podResource, "default", "p")
		for _, c := range obj.(*corev1.Pod).Status.Conditions {
			if c.Type == corev1.PodScheduled && (c.Status != corev1.ConditionTrue || c.Reason != "") {
				t.Errorf("%+v", c)
			}
		}
	})
}
