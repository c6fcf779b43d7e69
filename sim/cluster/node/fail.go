package node

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/engine"
)

// Fail stops nodes like a power failure: their kubelets send nothing any more, and their pods stop. It waits until that
// has happened, so it must not be called on the engine's goroutine.
func (k *Kubelets) Fail(names ...string) { k.stop("fail|", names, false) }

// Shutdown does nothing: the stand-in stops no Pods before a shutdown, and validation has refused it.
func (k *Kubelets) Shutdown(...string) {}

// WriteManifest does nothing: the stand-in has no static Pods, and validation has refused it.
func (k *Kubelets) WriteManifest(_, _, _ string) error { return nil }

// RemoveManifest does nothing, as WriteManifest.
func (k *Kubelets) RemoveManifest(_, _ string) error { return nil }

// Partition disconnects nodes from the API server: their pods keep running, but their kubelets neither send anything
// nor receive what is written in the meantime. It waits as Fail does.
func (k *Kubelets) Partition(names ...string) { k.stop("partition|", names, true) }

func (k *Kubelets) stop(key string, names []string, partition bool) {
	k.sim.Engine.As(engine.Component).Call("kubelet|"+key+strings.Join(names, ","), func() {
		for _, name := range names {
			if k.down[name] == nil {
				k.down[name] = &outage{since: k.sim.Engine.Now(), partition: partition}
			}
		}
	})
}

// Recover restores failed nodes: they renew their leases, report themselves and their pods Ready again, and do what
// they missed, such as stopping the pods that were deleted in the meantime. It waits as Fail does.
func (k *Kubelets) Recover(names ...string) {
	k.sim.Engine.As(engine.Component).Call("kubelet|recover|"+strings.Join(names, ","), func() {
		for _, name := range names {
			k.recover(name)
		}
	})
}

func (k *Kubelets) recover(name string) {
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
		k.sim.Engine.As(engine.Component).After(missed.late(stage), stage.key, stage.run)
	}
}

// Skew sets the clock of nodes forward, or back if by is negative: the times in their leases and conditions are off by
// that much. It waits as Fail does.
func (k *Kubelets) Skew(by time.Duration, names ...string) {
	k.sim.Engine.As(engine.Component).Call("kubelet|skew|"+strings.Join(names, ","), func() {
		for _, name := range names {
			k.skew[name] = by
		}
	})
}

// SetHealthy does nothing: these nodes have no devices, and validation has refused it.
func (k *Kubelets) SetHealthy(string, int, ...string) {}

// outage is what a node misses while it is down, in the order in which it would have happened.
type outage struct {
	since time.Duration
	// partition means that the node itself keeps running.
	partition bool
	stages    []stage
}

// stage is a stage of a pod's lifecycle that is due.
type stage struct {
	key string
	run func()
	// written is when its cause was written, and delay how long it takes from there.
	written time.Duration
	delay   time.Duration
}

// late returns how long after the recovery a stage happens. A disconnected kubelet has done everything that it knew of.
// It begins the rest now: a pod that was deleted in the meantime gets its whole grace period.
func (o *outage) late(s stage) time.Duration {
	if o.partition && s.written >= o.since {
		return s.delay
	}
	return 0
}

// node returns a copy of a stored node.
func (k *Kubelets) node(name string) (*corev1.Node, bool) {
	obj, found := k.sim.State.Get(nodeResource.GroupResource(), "", name)
	if !found {
		return nil, false
	}
	return obj.(*corev1.Node).DeepCopy(), true
}

// reportPods reports the actual state of the running pods of a node. While it was down, the node lifecycle controller
// may have set their condition Ready to False (MarkPodsNotReady in pkg/controller/util/node/controller_utils.go).
func (k *Kubelets) reportPods(name string) {
	for _, obj := range k.sim.State.List(podResource.GroupResource(), "") {
		pod := obj.(*corev1.Pod)
		running := pod.Spec.NodeName == name && pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil
		ready := slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		})
		if running && !ready && k.faults[pod.UID] == "" {
			pod = pod.DeepCopy()
			setCondition(pod, corev1.PodReady, corev1.ConditionTrue, "")
			k.writeStatus(pod, 0)
		}
	}
}

// healthy are the conditions of a healthy node.
var healthy = []corev1.NodeCondition{
	{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientMemory"},
	{Type: corev1.NodeDiskPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasNoDiskPressure"},
	{Type: corev1.NodePIDPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientPID"},
	{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady"},
}

// report sets the conditions of a healthy node; the times of transition change only for conditions that were different.
// now is the time of its clock.
func report(status *corev1.NodeStatus, now metav1.Time) {
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

// Answers reports whether the kubelet of a node can be reached. Only the engine's goroutine may call it.
func (k *Kubelets) Answers(node string) bool { return k.down[node] == nil }

// IsCutOff reports whether a node runs, but cannot be reached. Only the engine's goroutine may call it.
func (k *Kubelets) IsCutOff(node string) bool { return k.down[node] != nil && k.down[node].partition }
