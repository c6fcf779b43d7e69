//go:build linux

package controllers

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/cluster/node"
)

// NodeFaults lets nodes with upstream's kubelet, their Pods and their images fail, as *node.Kubelets does with those of the stand-in.
type NodeFaults struct {
	control *Processes
	cause   func() int64
}

// NodeFaults returns the faults of nodes that a record causes; ok is false without upstream's kubelets.
func (c *Processes) NodeFaults(cause func() int64) (faults NodeFaults, ok bool) {
	return NodeFaults{c, cause}, c.kubelets != nil
}

// Fail makes nodes lose power: their kubelets crash, and their containers end. It may not be called on the engine's goroutine, nor may
// Partition and Recover.
func (f NodeFaults) Fail(names ...string) {
	for _, name := range names {
		f.control.kubelets.logind[name].Reset()
		_ = f.control.Crash(KubeletProcess(name), 0, f.cause) // each node has this process
		f.control.sim.Engine.Call("power off|"+name, func() {
			f.control.kubelets.runtimes[name].PowerOff()
			f.control.kubelets.powerOff(name)
		})
	}
}

// Partition disconnects nodes from the API server: the requests of their kubelets are held, and so are the watch events for them.
func (f NodeFaults) Partition(names ...string) {
	for _, name := range names {
		_ = f.control.Pause(KubeletProcess(name), f.cause)
	}
}

// reject returns why the kubelet of an actor does not admit a Pod, as a fault says; nothing if it does.
func (c *Processes) reject(actor string, pod *corev1.Pod) (reason, message string) {
	if !c.sim.MayReject() {
		return "", ""
	}
	c.sim.Engine.Call("admit|"+actor+"|"+pod.Namespace+"/"+pod.Name, func() {
		why, _ := c.sim.Reject(actor, pod, 0)
		reason, message = why.Reason, why.Message
	})
	return reason, message
}

// IsCutOff reports whether containers run on a node whose kubelet, upstream's, has crashed or is disconnected: nobody can stop them. Only
// the engine's goroutine may call it.
func (c *Processes) IsCutOff(node string) bool {
	if c.kubelets == nil || c.kubelets.runtimes[node] == nil {
		return false
	}
	_, works := c.Process(KubeletActor(node))
	return !works && c.kubelets.runtimes[node].Runs()
}

// Recover connects nodes again, starts the kubelets of those that have lost power, and cancels shutdowns that kubelets delay.
func (f NodeFaults) Recover(names ...string) {
	for _, name := range names {
		process := KubeletProcess(name)
		f.control.kubelets.logind[name].Cancel()
		_ = f.control.Resume(process, f.cause)
		if f.control.processes[process].dead.Load() {
			_ = f.control.Restart(process, f.cause)
		}
	}
}

// Skew does nothing: the processes of a simulation share its clock, and validation has refused it.
func (f NodeFaults) Skew(time.Duration, ...string) {}

// InjectFault applies a fault to the containers of a Pod, on the engine's goroutine. It returns an error if the Pod cannot have it.
func (f NodeFaults) InjectFault(namespace, name string, fault node.PodFault, exitCode int32, _ int64) error {
	object, found := f.control.sim.State.Get(schema.GroupResource{Resource: "pods"}, namespace, name)
	if !found {
		return node.NoPod(namespace, name)
	}
	pod := object.(*corev1.Pod)
	runtime := f.control.kubelets.runtimes[pod.Spec.NodeName]
	if runtime == nil {
		return &node.NotRunningError{Message: fmt.Sprintf("pod %s/%s is on no node with a kubelet", namespace, name)}
	}
	target := cri.Target{Namespace: namespace, Pod: name}
	switch fault {
	case node.Fails:
		if pod.Spec.RestartPolicy != corev1.RestartPolicyNever {
			return fmt.Errorf("pod %s/%s does not fail when its containers exit: its restartPolicy is %s",
				namespace, name, pod.Spec.RestartPolicy)
		}
		runtime.Exit(target, exitCode)
	case node.CrashLoops:
		runtime.Inject(target, cri.CrashLoops)
	case node.Unready:
		if !probed(pod) {
			return fmt.Errorf("pod %s/%s has no readiness probe: it is Ready while its containers run", namespace, name)
		}
		runtime.Inject(target, cri.Refuses)
	case node.Hangs:
		runtime.Inject(target, cri.Hangs)
	case node.Recovers:
		runtime.Lift(target)
	}
	return nil
}

// probed reports whether a container of a Pod has a readiness probe.
func probed(pod *corev1.Pod) bool {
	for _, c := range pod.Spec.Containers {
		if c.ReadinessProbe != nil {
			return true
		}
	}
	return false
}

// InjectImageFault makes the images that a glob matches unusable on all nodes, or lets them recover, on the engine's goroutine.
func (f NodeFaults) InjectImageFault(glob string, fault node.PodFault, _ int64) {
	target := cri.Target{Image: glob}
	for _, n := range f.control.kubelets.options.Nodes {
		switch runtime := f.control.kubelets.runtimes[n.Name]; fault {
		case node.FailsPull:
			runtime.Inject(target, cri.FailsPull)
		case node.CrashLoops:
			runtime.Inject(target, cri.CrashLoops)
		case node.Recovers:
			runtime.Lift(target)
		}
	}
}
