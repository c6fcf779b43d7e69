package recording

import (
	"slices"
	"strings"
	"time"
)

// Node is a node with the phases of its Pods.
type Node struct {
	Name string
	Pods []Phase
}

// NodesAt lists the nodes that existed after record seq, by name, each with its Pods in the order of their creation. Pods that no
// node runs yet are under an empty name, at the end. A ready Pod counts as available, whatever minReadySeconds is.
func (r *Recording) NodesAt(seq int64, now time.Duration) []Node {
	pods := map[string][]Phase{}
	for _, pod := range r.lives.pods {
		if state := pod.at(seq); state != nil {
			pods[state.node] = append(pods[state.node], state.phaseAt(now, 0))
		}
	}
	var nodes []Node
	for _, node := range r.lives.nodes {
		if node.exists(seq) {
			nodes = append(nodes, Node{node.object.Name, pods[node.object.Name]})
		}
	}
	slices.SortFunc(nodes, func(a, b Node) int { return strings.Compare(a.Name, b.Name) })
	if waiting := pods[""]; len(waiting) > 0 {
		nodes = append(nodes, Node{"", waiting})
	}
	return nodes
}
