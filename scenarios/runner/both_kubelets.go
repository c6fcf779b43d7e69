package runner

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/cluster/node"
)

// kubeletsFor are the kubelets of the scenario, of either kind, for what a record causes.
func (r *run) kubeletsFor(cause func() int64) verb.Kubelets {
	faults, upstream := r.control.NodeFaults(cause)
	switch {
	case upstream && r.scenario.RunsStandIn():
		return bothKubelets{r, faults}
	case upstream:
		return faults
	}
	return r.kubelets
}

// bothKubelets are the kubelets of a scenario with upstream's kubelet on some nodes and the stand-in on the others: what a step does goes
// to the one that has the node, and an image is the same on all nodes.
type bothKubelets struct {
	run      *run
	upstream controllers.NodeFaults
}

var _ verb.Kubelets = bothKubelets{}

// each calls do with the nodes that each kind of kubelet has.
func (b bothKubelets) each(names []string, do func(verb.Kubelets, []string)) {
	known, upstream, simple := kubeletNodes(b.run.scenario), []string(nil), []string(nil)
	for _, name := range names {
		if slices.Contains(known, name) {
			upstream = append(upstream, name)
		} else {
			simple = append(simple, name)
		}
	}
	if upstream != nil {
		do(b.upstream, upstream)
	}
	if simple != nil {
		do(b.run.kubelets, simple)
	}
}

// Fail implements verb.Kubelets.
func (b bothKubelets) Fail(names ...string) {
	b.each(names, func(k verb.Kubelets, names []string) { k.Fail(names...) })
}

// Shutdown implements verb.Kubelets.
func (b bothKubelets) Shutdown(names ...string) {
	b.each(names, func(k verb.Kubelets, names []string) { k.Shutdown(names...) })
}

// Partition implements verb.Kubelets.
func (b bothKubelets) Partition(names ...string) {
	b.each(names, func(k verb.Kubelets, names []string) { k.Partition(names...) })
}

// Recover implements verb.Kubelets.
func (b bothKubelets) Recover(names ...string) {
	b.each(names, func(k verb.Kubelets, names []string) { k.Recover(names...) })
}

// Skew implements verb.Kubelets.
func (b bothKubelets) Skew(by time.Duration, names ...string) {
	b.each(names, func(k verb.Kubelets, names []string) { k.Skew(by, names...) })
}

// SetHealthy implements verb.Kubelets.
func (b bothKubelets) SetHealthy(resource string, count int, names ...string) {
	b.each(names, func(k verb.Kubelets, names []string) { k.SetHealthy(resource, count, names...) })
}

// InjectFault implements verb.Kubelets.
func (b bothKubelets) InjectFault(namespace, name string, fault node.PodFault, exitCode int32, cause int64) error {
	object, found := b.run.sim.State.Get(corev1.Resource("pods"), namespace, name)
	if found && slices.Contains(kubeletNodes(b.run.scenario), object.(*corev1.Pod).Spec.NodeName) {
		return b.upstream.InjectFault(namespace, name, fault, exitCode, cause)
	}
	return b.run.kubelets.InjectFault(namespace, name, fault, exitCode, cause)
}

// InjectImageFault implements verb.Kubelets.
func (b bothKubelets) InjectImageFault(glob string, fault node.PodFault, cause int64) {
	b.upstream.InjectImageFault(glob, fault, cause)
	b.run.kubelets.InjectImageFault(glob, fault, cause)
}

// WriteManifest implements verb.Kubelets.
func (b bothKubelets) WriteManifest(node, pod, text string) error {
	return b.upstream.WriteManifest(node, pod, text)
}

// RemoveManifest implements verb.Kubelets.
func (b bothKubelets) RemoveManifest(node, pod string) error {
	return b.upstream.RemoveManifest(node, pod)
}
