package format

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
)

// Node is one node of a NodePool.
type Node struct {
	Name string
	// Labels are those of the pool, with the zone.
	Labels map[string]string
	// CPU and Memory are quantities; empty for the default.
	CPU, Memory string
	// Pods is how many pods the node takes.
	Pods int
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
				CPU: string(pool.CPU), Memory: string(pool.Memory)}
			maps.Copy(n.Labels, pool.Labels)
			if pool.Zone != "" {
				n.Labels[corev1.LabelTopologyZone] = pool.Zone
			}
			nodes = append(nodes, n)
		}
	}
	return nodes
}
