//go:build linux

package controllers

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/controllers/kubelet"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// stopServices is how long systemd takes to stop the services of a node, when nothing delays a shutdown any more. Then the power is off.
const stopServices = time.Second

// Shutdown shuts nodes down: a kubelet delays that while it stops Pods, if its configuration says so. It may not be called on the engine's
// goroutine.
func (f NodeFaults) Shutdown(names ...string) {
	c := f.control
	for _, name := range names {
		cause := f.cause()
		off := func() {
			c.sim.Engine.As(engine.Component).After(stopServices, "power off|"+name, func() { c.powerOff(name, cause) })
		}
		c.sim.Engine.Call("shutdown|"+name, func() { c.kubelets.logind[name].Shutdown(off) })
	}
}

// powerOff ends what runs on a node that was shut down.
func (c *Processes) powerOff(node string, cause int64) {
	if !c.kubelets.logind[node].IsGoingDown() {
		return // it has lost its power before
	}
	name := KubeletProcess(node)
	c.sim.Recorder.Emit(&trace.Record{
		Kind: trace.KindFault, Cause: cause, Actor: name, Fault: &trace.Fault{Rule: name, Effect: trace.EffectPowerOff},
	})
	c.processes[name].crash(trace.ProcessPowerOff)
	c.kubelets.runtimes[node].PowerOff()
	c.kubelets.logind[node].Reset()
}

// shutsDown records in which phase of a shutdown that begins the kubelet stops each Pod.
func (c *Processes) shutsDown(actor string) {
	pods := c.podsOn(c.kubelets.nodes[actor])
	phases := kubelet.ShutdownPhases(c.kubelets.options.Config, pods)
	begins := c.sim.Engine.Now()
	for n, phase := range phases {
		for _, p := range phase.Pods {
			c.recordShutdown(actor, p, &trace.Shutdown{
				Phase: n + 1, Phases: len(phases), Priority: phase.Priority, Period: phase.Period(), Latest: begins,
			})
		}
		begins += phase.Period()
	}
}

// shutdownEnds records that a shutdown was canceled.
func (c *Processes) shutdownEnds(actor string) {
	for _, p := range c.podsOn(c.kubelets.nodes[actor]) {
		c.recordShutdown(actor, p, &trace.Shutdown{Canceled: true})
	}
}

func (c *Processes) recordShutdown(actor string, p *corev1.Pod, what *trace.Shutdown) {
	c.recordContainer(actor, &trace.Container{
		Object: trace.Object{Resource: "pods", Namespace: p.Namespace, Name: p.Name}, UID: uidOf(p), Shutdown: what,
	}, false)
}

// podsOn are the Pods of a node that have not ended, by namespace and name.
func (c *Processes) podsOn(node string) (pods []*corev1.Pod) {
	for _, object := range c.sim.State.List(corev1.Resource("pods"), "") {
		if p := object.(*corev1.Pod); p.Spec.NodeName == node && !podutil.IsPodTerminal(p) {
			pods = append(pods, p)
		}
	}
	slices.SortFunc(pods, func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return pods
}
