package node

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/engine"
)

// PodFault is a fault of a single pod.
type PodFault string

// The faults of pods.
const (
	// Fails ends the containers with an exit code, permanently.
	Fails PodFault = "fail"
	// CrashLoops ends the containers repeatedly; the kubelet restarts them after a back-off.
	CrashLoops PodFault = "crashLoop"
	// Unready makes the readiness probe fail.
	Unready PodFault = "unready"
	// Hangs keeps the pod from ending when it is deleted.
	Hangs PodFault = "hang"
	// Recovers ends the other faults.
	Recovers PodFault = "recover"
)

const (
	// crashAfter is how long a container runs before it crashes again.
	crashAfter = time.Second
	// backOffFirst and backOffMax are the kubelet's (pkg/kubelet/kubelet.go); the first restart is immediate.
	backOffFirst = 10 * time.Second
	backOffMax   = 5 * time.Minute
)

// NotRunningError means that a pod is not there, or does not run, when a fault is to apply to it. What has happened in the run decides
// that.
type NotRunningError struct{ Message string }

// Error implements error.
func (e *NotRunningError) Error() string { return e.Message }

// NoPod is the error if there is no pod of a name.
func NoPod(namespace, name string) error {
	return &NotRunningError{fmt.Sprintf("there is no pod %s/%s", namespace, name)}
}

// InjectFault applies a fault to a pod, on the engine's goroutine. cause is the record that requests it. It returns an
// error if the pod cannot have that fault now. A node that is down applies it when it recovers.
func (k *Kubelets) InjectFault(namespace, name string, fault PodFault, exitCode int32, cause int64) error {
	obj, found := k.sim.State.Get(podResource.GroupResource(), namespace, name)
	if !found {
		return NoPod(namespace, name)
	}
	pod := obj.(*corev1.Pod)
	if fault != Hangs && fault != Recovers && (pod.Status.Phase != corev1.PodRunning || pod.DeletionTimestamp != nil) {
		return &NotRunningError{fmt.Sprintf("pod %s/%s is not running: it is %s", namespace, name, phaseOf(pod))}
	}
	uid := pod.UID
	switch {
	case fault == Hangs:
		k.faults[uid] = Hangs
		return nil
	case fault == k.faults[uid]:
		return nil
	}
	k.whenUp(pod, func(pod *corev1.Pod) {
		switch fault {
		case Fails:
			k.finish(pod, corev1.PodFailed, exitCode, cause)
		case Unready:
			k.faults[uid] = Unready
			k.setReady(pod, false, cause)
		case CrashLoops:
			k.faults[uid] = CrashLoops
			k.crash(pod, cause)
		case Recovers:
			k.heal(pod, cause)
		}
	})
	return nil
}

// Ailing counts the Pods that have a fault, or whose image has one: nothing but Recovers ends it.
func (k *Kubelets) Ailing() (count int) {
	for _, object := range k.sim.State.List(podResource.GroupResource(), "") {
		pod := object.(*corev1.Pod)
		if k.faults[pod.UID] != "" || pod.Status.Phase == corev1.PodPending && k.hasImageFault(pod, FailsPull) {
			count++
		}
	}
	return count
}

// phaseOf is the status of a pod as kubectl prints it.
func phaseOf(pod *corev1.Pod) string {
	if pod.DeletionTimestamp != nil {
		return "Terminating"
	}
	return string(pod.Status.Phase)
}

// whenUp calls do with the newest version of a pod, now or when its node recovers.
func (k *Kubelets) whenUp(pod *corev1.Pod, do func(*corev1.Pod)) {
	namespace, name, uid := pod.Namespace, pod.Name, pod.UID
	var run func()
	run = func() {
		obj, found := k.sim.State.Get(podResource.GroupResource(), namespace, name)
		if !found || obj.(*corev1.Pod).UID != uid {
			return
		}
		current := obj.(*corev1.Pod)
		if missed := k.down[current.Spec.NodeName]; missed != nil {
			missed.stages = append(missed.stages, stage{"kubelet|fault|" + namespace + "|" + name, run, k.sim.Engine.Now(), 0})
			return
		}
		do(current.DeepCopy())
	}
	run()
}

// setReady reports the containers of a running pod as ready or not.
func (k *Kubelets) setReady(pod *corev1.Pod, ready bool, cause int64) {
	status, reason := corev1.ConditionTrue, ""
	if !ready {
		status, reason = corev1.ConditionFalse, "ContainersNotReady"
	}
	setCondition(pod, corev1.PodReady, status, reason)
	setCondition(pod, corev1.ContainersReady, status, reason)
	for i := range pod.Status.ContainerStatuses {
		pod.Status.ContainerStatuses[i].Ready = ready
	}
	k.writeStatus(pod, cause)
}

// crash ends all containers of a pod. They run again after a back-off, for a second. A pod that does not restart its
// containers fails.
func (k *Kubelets) crash(pod *corev1.Pod, cause int64) {
	if pod.Spec.RestartPolicy == corev1.RestartPolicyNever {
		delete(k.faults, pod.UID)
		k.finish(pod, corev1.PodFailed, 1, cause)
		return
	}
	restarts := k.restarts[pod.UID]
	k.restarts[pod.UID]++
	ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		ExitCode: 1, Reason: "Error", FinishedAt: metav1.Now(),
	}}
	for i := range pod.Status.ContainerStatuses {
		c := &pod.Status.ContainerStatuses[i]
		c.LastTerminationState = ended
		c.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
		if restarts == 0 {
			c.State = ended
		}
	}
	k.setReady(pod, false, cause)
	if restarts > 0 {
		k.tellRestart(pod, cause)
	}
	k.later(pod, "restart", backOff(restarts), func(pod *corev1.Pod) {
		k.run(pod, cause)
		k.tellStarted(pod, cause, 0)
		k.later(pod, "crash", crashAfter, func(pod *corev1.Pod) { k.crash(pod, cause) })
	})
}

// backOff is how long the kubelet waits before it restarts a container with that many restarts.
func backOff(restarts int32) time.Duration {
	if restarts == 0 {
		return 0
	}
	// After five doublings it is at its maximum.
	return min(backOffFirst<<min(restarts-1, 5), backOffMax)
}

// run starts the containers of a pod that do not run, and reports the pod Ready.
func (k *Kubelets) run(pod *corev1.Pod, cause int64) {
	for i := range pod.Status.ContainerStatuses {
		c := &pod.Status.ContainerStatuses[i]
		if c.State.Running != nil {
			continue
		}
		c.RestartCount++
		c.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}
	}
	k.setReady(pod, true, cause)
}

// later schedules the next stage of a crash loop, unless the loop has ended.
func (k *Kubelets) later(pod *corev1.Pod, what string, delay time.Duration, do func(*corev1.Pod)) {
	uid := pod.UID
	k.sim.Engine.As(engine.Component).After(delay, "kubelet|"+what+"|"+pod.Namespace+"|"+pod.Name, func() {
		k.whenUp(pod, func(pod *corev1.Pod) {
			if k.faults[uid] == CrashLoops && pod.DeletionTimestamp == nil && pod.Status.Phase == corev1.PodRunning {
				do(pod)
			}
		})
	})
}

// heal ends the fault of a pod.
func (k *Kubelets) heal(pod *corev1.Pod, cause int64) {
	was := k.faults[pod.UID]
	delete(k.faults, pod.UID)
	switch {
	case was == Hangs && pod.DeletionTimestamp != nil:
		k.remove(pod, cause)
	case was != "" && pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil:
		k.run(pod, cause)
	}
}

// ends removes the state of a deleted pod.
func (k *Kubelets) ends(uid types.UID) {
	delete(k.stages, uid)
	delete(k.faults, uid)
	delete(k.restarts, uid)
	delete(k.told, uid)
	delete(k.machine.pulling, uid)
}
