package pane

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Branch is a line of the tree of branches.
type Branch struct {
	// Parent is the index of the run that it left, -1 for the first, at a time, by a step.
	Parent  int
	Step    string
	At      time.Duration
	Verdict string
}

// Tree lists branches.
type Tree struct {
	Branches          []Branch
	Current, Selected int
	Theme             *theme.Theme
}

// Lines renders the tree: each run below the one that it left.
func (p *Tree) Lines(width int) []string {
	var lines []string
	var add func(parent, depth int)
	add = func(parent, depth int) {
		for i, b := range p.Branches {
			if b.Parent != parent {
				continue
			}
			lines = append(lines, p.line(i, depth, width))
			add(i, depth+1)
		}
	}
	add(-1, 0)
	if len(p.Branches) == 1 {
		lines = append(lines, "", "What if, here, something else happened? : begins a branch at the time of the cursor.")
	}
	return lines
}

// Order is the branches as they are listed.
func (p *Tree) Order() []int {
	var order []int
	var add func(parent int)
	add = func(parent int) {
		for i, b := range p.Branches {
			if b.Parent == parent {
				order = append(order, i)
				add(i)
			}
		}
	}
	add(-1)
	return order
}

func (p *Tree) line(i, depth, width int) string {
	b := p.Branches[i]
	text := "the scenario itself"
	if b.Parent >= 0 {
		text = fmt.Sprintf("%s└─ at %s: %s", strings.Repeat("   ", depth-1), trace.Seconds(b.At), b.Step)
	}
	mark := "  "
	if i == p.Selected {
		mark = "▸ "
	}
	if i == p.Current {
		text += "  (shown)"
	}
	line := frame.Ends(mark+text, b.Verdict, width)
	if i == p.Selected {
		return p.Theme.Now.Render(line)
	}
	return line
}
