package recording

import (
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Node is a node with the phases of its Pods.
type Node struct {
	Name string
	Pods []Phase
}

// Pod is a Pod with its node, empty as long as it has none, and its phase.
type Pod struct {
	Object trace.Object
	Node   string
	Phase  Phase
}

// PodsAt lists the Pods that existed after record seq, in the order of their creation. A ready Pod is available if it has been ready for
// the minReadySeconds of its controller.
func (r *Recording) PodsAt(seq int64, now time.Duration) []Pod {
	waits := map[string]time.Duration{}
	var pods []Pod
	for _, pod := range r.lifetimes().pods {
		state := pod.at(seq)
		if state == nil {
			continue
		}
		wait, known := waits[state.Owner]
		if of := r.lifetimes().owned[state.Owner]; !known && of != nil && of.owner != nil {
			object := r.Replay.ObjectAt(of.owner.object, seq)
			wait = time.Duration(number(object, 0, "spec", "minReadySeconds")) * time.Second
			waits[state.Owner] = wait
		}
		pods = append(pods, Pod{pod.object, state.Node, state.phaseAt(now, wait)})
	}
	return pods
}

// PodsOf lists the Pods that the object with a uid controlled after record seq, by namespace and name. ok is false if the recording does
// not know, since several objects had the uid.
func (r *Recording) PodsOf(uid string, seq int64) (pods []trace.Object, ok bool) {
	if of := r.lifetimes().owned[uid]; of != nil && uid != "" {
		if of.reused {
			return nil, false
		}
		for _, pod := range of.list {
			if state := pod.at(seq); state != nil && state.Owner == uid {
				pods = append(pods, pod.object)
			}
		}
	}
	slices.SortFunc(pods, compareObjects)
	return pods, true
}

// NodesAt lists the nodes that existed after record seq, by name, each with its Pods in the order of their creation. Pods that no
// node runs yet are under an empty name, at the end. A ready Pod counts as available, whatever minReadySeconds is.
func (r *Recording) NodesAt(seq int64, now time.Duration) []Node {
	pods := map[string][]Phase{}
	for _, pod := range r.lifetimes().pods {
		if state := pod.at(seq); state != nil {
			pods[state.Node] = append(pods[state.Node], state.phaseAt(now, 0))
		}
	}
	var nodes []Node
	for _, node := range r.lifetimes().nodes {
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

// phaseTexts are how the phases of a Pod are written: with a mark of one cell, and in words.
var phaseTexts = map[Phase]struct{ mark, word string }{
	Absent:      {" ", "none"},
	Pending:     {"·", "Pending"},
	Running:     {"◔", "running, not ready"},
	Ready:       {"◑", "ready, not yet available"},
	Available:   {"●", "available"},
	Terminating: {"✕", "terminating"},
	Failed:      {"!", "failed"},
	Succeeded:   {"✓", "succeeded"},
}

// Mark is the phase as a sign that takes one cell of a terminal.
func (p Phase) Mark() string { return phaseTexts[p].mark }

// Word is the phase in words.
func (p Phase) Word() string { return phaseTexts[p].word }
