package picture

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/recording"
)

// The sizes of nodes, and how many are drawn, with how many Pods each.
const (
	nodeColumns, nodeGap = 2, 8
	nodeHeight           = 80
	mostNodes            = 6
	seatSize, seatsInRow = 20, 4
	mostSeats            = 8
	// seatsTop is below the name and the state of the node.
	seatsTop  = 35
	nodeWidth = (nodesWidth - nodeGap) / nodeColumns
)

// machine is a node over time.
type machine struct {
	there, lit track
	state      strip
	seats      []track
}

// nodes draws the nodes at the right, each with the Pods that it runs.
func (p *picture) nodes(views []*stage.Stage) {
	p.text(nodesLeft, heading, "n", "NODES")
	for _, view := range views {
		for i := range view.Nodes {
			if _, known := p.places[view.Nodes[i].Name]; !known && len(p.places) < mostNodes {
				p.places[view.Nodes[i].Name] = len(p.places)
				p.names = append(p.names, view.Nodes[i].Name)
			}
		}
	}
	machines := make([]machine, len(p.names))
	for n, view := range views {
		there := map[string]bool{}
		for i := range view.Nodes {
			node := &view.Nodes[i]
			if place, ok := p.places[node.Name]; ok {
				there[node.Name] = true
				machines[place].set(p.frames[n], node, view)
			}
		}
		for i, name := range p.names {
			machines[i].there.set(p.frames[n].at, opacity(there[name]))
		}
	}
	for i := range machines {
		p.machine(&machines[i], i)
	}
}

// nodeAt is the upper left corner of a node.
func nodeAt(i int) (x, y int) {
	return nodesLeft + i%nodeColumns*(nodeWidth+nodeGap), stageTop + i/nodeColumns*(nodeHeight+nodeGap)
}

// set changes a node.
func (m *machine) set(f frame, n *stage.Node, view *stage.Stage) {
	m.lit.set(f.at, opacity(n.Lit))
	m.state.set(f.at, cut(n.State, 20))
	for len(m.seats) < min(len(n.Pods), mostSeats) {
		m.seats = append(m.seats, track{stops: []stop{{0, row(0, recording.Absent)}}})
	}
	for i := range m.seats {
		if i >= len(n.Pods) {
			m.seats[i].set(f.at, row(0, recording.Absent))
			continue
		}
		pod := &view.Objects[n.Pods[i]]
		m.seats[i].set(f.at, row(pod.Version, pod.Phase))
	}
}

// machine draws a node.
func (p *picture) machine(m *machine, i int) {
	x, y := nodeAt(i)
	fmt.Fprintf(&p.body, `<g class="%s"><rect x="%d" y="%d" width="%d" height="%d" rx="7" class="box"/>`,
		p.animate(&m.there, step), x, y, nodeWidth, nodeHeight)
	fmt.Fprintf(&p.body, `<text x="%d" y="%d" class="b">%s</text></g>`+"\n", x+8, y+16, escape.Replace(cut(p.names[i], 14)))
	if len(m.state.texts) > 0 {
		p.body.WriteString(m.state.draw(&p.sheet, x+8, y+17, nodeWidth-16, "n", "start"))
	}
	for n := range m.seats {
		// The window shows one symbol, in a smaller size.
		fmt.Fprintf(&p.body, `<svg x="%d" y="%d" width="%d" height="%[3]d" viewBox="0 0 %d %[4]d"><g class="%s"><use href="#p"/></g></svg>`+"\n",
			x+8+n%seatsInRow*(seatSize+3), y+seatsTop+n/seatsInRow*(seatSize+2),
			seatSize, podSize, p.animate(&m.seats[n], step))
	}
}
