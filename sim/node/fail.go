package node

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/engine"
)

// Fail stops a node as a loss of power or of its network would: its kubelet sends nothing any more, and
// what its pods were about to do they do not. It waits until that has happened, so it must not be called on
// the engine's goroutine.
func (k *Kubelets) Fail(name string) {
	k.perform("fail|"+name, func() {
		if k.down[name] == nil {
			k.down[name] = &outage{}
		}
	})
}

// Recover lets a failed node go on: it renews its lease, reports itself and its pods Ready again, and does
// what it missed, such as ending the pods that were deleted meanwhile. It waits as Fail does.
func (k *Kubelets) Recover(name string) {
	k.perform("recover|"+name, func() {
		missed := k.down[name]
		if missed == nil {
			return
		}
		delete(k.down, name)
		if node, found := k.node(name); found {
			k.renewLease(node)
			k.writeNode(node, false)
		}
		k.reportPods(name)
		for _, stage := range missed.stages {
			k.sim.Engine.At(time.Now(), stage.key, stage.run)
		}
	})
}

// outage is what a node misses while it is down, in the order in which it would have happened.
type outage struct{ stages []stage }

// stage is a stage of a pod's life that is due.
type stage struct {
	key string
	run func()
}

// perform calls do on the engine's goroutine and waits for it.
func (k *Kubelets) perform(key string, do func()) {
	done := make(chan struct{})
	scheduled := k.sim.Engine.Schedule(&engine.Event{
		Key: "kubelet|" + key, Abandon: func() { close(done) },
		Run: func() {
			do()
			close(done)
		},
	})
	if scheduled {
		<-done
	}
}

// node returns a copy of a node as it is stored.
func (k *Kubelets) node(name string) (*corev1.Node, bool) {
	obj, found := k.sim.State.Get(nodeResource.GroupResource(), "", name)
	if !found {
		return nil, false
	}
	return obj.(*corev1.Node).DeepCopy(), true
}

// reportPods reports the running pods of a node as they are. While it was down, the node lifecycle
// controller may have set their condition Ready to False (MarkPodsNotReady in
// pkg/controller/util/node/controller_utils.go).
func (k *Kubelets) reportPods(name string) {
	for _, obj := range k.sim.State.List(podResource.GroupResource(), "") {
		pod := obj.(*corev1.Pod)
		running := pod.Spec.NodeName == name && pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil
		ready := slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		})
		if running && !ready {
			pod = pod.DeepCopy()
			setCondition(pod, corev1.PodReady, corev1.ConditionTrue, "")
			k.writeStatus(pod, 0)
		}
	}
}

// healthy are the conditions of a node that works.
var healthy = []corev1.NodeCondition{
	{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientMemory"},
	{Type: corev1.NodeDiskPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasNoDiskPressure"},
	{Type: corev1.NodePIDPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientPID"},
	{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady"},
}

// report sets the conditions of a node that works; the times of transition move only where it did not.
func report(status *corev1.NodeStatus) {
	now := metav1.Now()
	for _, condition := range healthy {
		condition.LastHeartbeatTime, condition.LastTransitionTime = now, now
		i := slices.IndexFunc(status.Conditions, func(c corev1.NodeCondition) bool { return c.Type == condition.Type })
		if i < 0 {
			status.Conditions = append(status.Conditions, condition)
			continue
		}
		if status.Conditions[i].Status == condition.Status {
			condition.LastTransitionTime = status.Conditions[i].LastTransitionTime
		}
		status.Conditions[i] = condition
	}
}

// Answers says whether the kubelet of a node can be reached. It belongs to the engine's goroutine.
func (k *Kubelets) Answers(node string) bool { return k.down[node] == nil }
