package format

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
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
