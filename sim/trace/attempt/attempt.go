// Package attempt is the result of one attempt of kube-scheduler to find a node for a Pod, as a trace holds it: what each plugin of the
// scheduling framework thought of the nodes, and what became of the Pod.
package attempt

import (
	"fmt"
	"strconv"
	"strings"
)

// Attempt is one attempt of kube-scheduler to find a node for a Pod. Its plugins filter the nodes, and score those that are
// left; the node with the highest sum of scores gets the Pod.
type Attempt struct {
	// Number counts the attempts for the Pod, from 1.
	Number int `json:"number"`
	// Profile is the scheduler's name that the Pod asks for, unless that is default-scheduler.
	Profile string `json:"profile,omitempty"`
	// Nodes is how many nodes there are, Evaluated how many of them were filtered, and Feasible how many were left.
	Nodes     int `json:"nodes"`
	Evaluated int `json:"evaluated,omitempty"`
	Feasible  int `json:"feasible,omitempty"`
	// Rejections are the nodes that plugins filtered, and why.
	Rejections []Rejection `json:"rejections,omitempty"`
	// Scores are those of the best nodes, the highest first.
	Scores []NodeScore `json:"scores,omitempty"`
	// Hint is the node that an equal Pod left over a moment ago, which was tried first (the feature gate OpportunisticBatching).
	Hint string `json:"hint,omitempty"`
	// Node is the node that was chosen; empty if there was none.
	Node string `json:"node,omitempty"`
	// Nominated is the node on which Pods are deleted to make room for this one.
	Nominated string `json:"nominated,omitempty"`
	// Preemption is why deleting Pods would not help.
	Preemption string `json:"preemption,omitempty"`
	// FailedBy is the plugin that failed after a node was chosen, or its extension point: Reserve, PreBind or Bind.
	FailedBy string `json:"failedBy,omitempty"`
	// Message is why the attempt failed, as in the Event FailedScheduling.
	Message string `json:"message,omitempty"`
	// Skipped means that there was nothing to do: the Pod is being deleted, or has a node already.
	Skipped bool `json:"skipped,omitempty"`
}

// Rejection is a reason why a plugin filtered nodes.
type Rejection struct {
	Plugin string `json:"plugin"`
	Reason string `json:"reason"`
	// Count is the number of nodes, and Nodes are the names of the first of them. Without Count, the plugin rejected the Pod before any
	// node was looked at.
	Count int      `json:"count,omitempty"`
	Nodes []string `json:"nodes,omitempty"`
	// Final means that deleting Pods from the node would not help (UnschedulableAndUnresolvable).
	Final bool `json:"final,omitempty"`
}

// NodeScore is the sum of a node's scores, and those of each plugin with their weights; those of 0 are left out.
type NodeScore struct {
	Node    string           `json:"node"`
	Total   int64            `json:"total"`
	Plugins map[string]int64 `json:"plugins,omitempty"`
}

// Outcome says briefly how an attempt ended.
func (a *Attempt) Outcome() string {
	switch {
	case a.Skipped:
		return "nothing to do"
	case a.FailedBy != "":
		return "not bound to " + a.Node
	case a.Node != "":
		return "-> " + a.Node
	case a.Nominated != "":
		return "makes room on " + a.Nominated
	}
	return "no node"
}

// Text says what an attempt found out about the nodes.
func (a *Attempt) Text() string {
	if a.Skipped {
		return ""
	}
	texts := []string{fmt.Sprintf("%d of %s", a.Feasible, nodes(a.Nodes))}
	if len(a.Scores) > 1 {
		best, next := a.Scores[0], a.Scores[1]
		texts = append(texts, fmt.Sprintf("score %d, then %s %d", best.Total, next.Node, next.Total))
	}
	for _, r := range a.Rejections {
		text := r.Plugin + ": " + strings.Join(strings.Fields(r.Reason), " ")
		if r.Count > 0 {
			text = strconv.Itoa(r.Count) + " by " + text
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// nodes counts nodes: 1 node, 3 nodes.
func nodes(n int) string {
	if n == 1 {
		return "1 node"
	}
	return strconv.Itoa(n) + " nodes"
}
