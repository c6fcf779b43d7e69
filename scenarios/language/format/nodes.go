package format

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Node is one node of a NodePool.
type Node struct {
	Name string
	// Labels are those of the pool, with the zone.
	Labels map[string]string
	// CPU and Memory are quantities; empty for the default.
	CPU, Memory string
	// Disk is a quantity; empty for the default.
	Disk string
	// StaticPods are manifests.
	StaticPods string
	// Pods is how many pods the node takes.
	Pods int
	// Kubelet is that of the pool, empty for the scenario's.
	Kubelet string
	// Devices are how many it has of each resource.
	Devices map[string]int
}

// Zone is the zone of the node, "" if it has none.
func (n Node) Zone() string { return n.Labels[corev1.LabelTopologyZone] }

// EachNode lists the nodes of all pools. They are numbered by prefix.
func (c Cluster) EachNode() []Node {
	var nodes []Node
	count := map[string]int{}
	for _, pool := range c.Nodes {
		for range pool.Count {
			count[pool.Prefix]++
			n := Node{Name: fmt.Sprintf("%s-%d", pool.Prefix, count[pool.Prefix]), Labels: map[string]string{}, Pods: pool.Pods,
				CPU: string(pool.CPU), Memory: string(pool.Memory), Disk: string(pool.Disk), StaticPods: pool.StaticPods,
				Kubelet: pool.Kubelet, Devices: pool.Devices}
			maps.Copy(n.Labels, pool.Labels)
			if pool.Zone != "" {
				n.Labels[corev1.LabelTopologyZone] = pool.Zone
			}
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// RunsKubelet reports whether upstream's kubelet runs the Pods of a node.
func (s *Scenario) RunsKubelet(n Node) bool {
	return cmp.Or(n.Kubelet, s.Spec.Kubernetes.Kubelet) == UpstreamKubelet
}

// RunsKubelets reports whether upstream's kubelet runs on a node. Without nodes, the scenario may get some later.
func (s *Scenario) RunsKubelets() bool {
	nodes := s.Spec.Cluster.EachNode()
	return len(nodes) == 0 && s.Spec.Kubernetes.Kubelet == UpstreamKubelet || slices.ContainsFunc(nodes, s.RunsKubelet)
}

// RunsStandIn reports whether the stand-in of the kubelet runs on a node. In a scenario of both kinds, it also has the nodes that
// somebody creates.
func (s *Scenario) RunsStandIn() bool {
	nodes := s.Spec.Cluster.EachNode()
	return len(nodes) == 0 && s.Spec.Kubernetes.Kubelet != UpstreamKubelet ||
		slices.ContainsFunc(nodes, func(n Node) bool { return !s.RunsKubelet(n) })
}

// StaticPods validates the manifests of static Pods in a field.
func (c *Checker) StaticPods(field, text string) { c.v.staticPods(c.at(field), text) }

// staticPods wants manifests of Pods with names.
func (v *validator) staticPods(at, text string) {
	for _, m := range v.manifests(at, text, false) {
		switch {
		case m.GVK.Kind != "Pod" || m.GVK.Group != "":
			v.report(v.scenario.Place(source.Problem("a manifest of a Pod, or a step with create",
				"a kubelet runs static Pods only, and this is a %s", m.GVK.Kind), at, m.Position))
		case m.Unstructured.GetName() == "":
			v.report(v.scenario.Place(source.Problem("name: agent",
				"a static Pod needs a name: its kubelet appends the name of the node"), at, m.Position))
		}
	}
}

// pool checks what pools of nodes have for upstream's kubelet alone.
func (v *validator) pool(at string, pool NodePool) {
	if v.scenario.RunsKubelet(Node{Kubelet: pool.Kubelet}) {
		if pool.StaticPods != "" {
			v.staticPods(at+".staticPods", pool.StaticPods)
		}
		return
	}
	for _, field := range []struct{ name, value string }{{"disk", string(pool.Disk)}, {"staticPods", pool.StaticPods}} {
		if field.value != "" {
			v.fail(at+"."+field.name, "kubelet: "+UpstreamKubelet, "%s is for nodes with upstream's kubelet, which does not run on these",
				field.name)
		}
	}
}
