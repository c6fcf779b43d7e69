package picture

import (
	"fmt"
	"slices"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// The sizes of boxes and Pods in the store, and how many Pods are in a row and in all.
const (
	boxWidth, boxHeight = 158, 42
	ownedTop            = stageTop + boxHeight + 28
	podsTop             = ownedTop + boxHeight + 10
	podSize, podsInRow  = 31, 5
	mostPods            = 20
	mostOwned           = 2
)

// object is a box of the store over time.
type object struct {
	of         *stage.Member
	says       strip
	there, lit track
	cells      []track
}

// store draws the first workload of the recording, the last ReplicaSets that it owns, and their Pods.
func (p *picture) store(views []*stage.Stage) {
	p.text(storeLeft, heading, "n", "API SERVER AND STORE")
	p.top = &object{of: p.member(p.Rec.Workloads()[0].Object)}
	for _, m := range p.cast.Members {
		if m.Version > 0 && !m.IsPod() && m.Object.Namespace == p.top.of.Object.Namespace && p.seen(views, m) {
			p.owned = append(p.owned, &object{of: m})
		}
	}
	p.owned = p.owned[max(len(p.owned)-mostOwned, 0):]
	for n, view := range views {
		p.top.set(p.frames[n], view)
		for _, o := range p.owned {
			o.set(p.frames[n], view)
		}
	}
	middle := storeLeft + storeWidth/2
	for i, o := range p.owned {
		x := p.ownedX(i)
		fmt.Fprintf(&p.body, `<path d="M%d %dv14H%dv14" class="tie %s"/>`+"\n", middle, stageTop+boxHeight, x+boxWidth/2, p.animate(&o.there, step))
	}
	p.box(p.top, middle-boxWidth/2, stageTop)
	for i, o := range p.owned {
		p.box(o, p.ownedX(i), ownedTop)
		p.pods(o, p.ownedX(i), podsTop)
	}
	if len(p.owned) == 0 {
		p.pods(p.top, middle-boxWidth/2, ownedTop-10)
	}
}

// seen reports whether the first workload owns an object at some time.
func (p *picture) seen(views []*stage.Stage, m *stage.Member) bool {
	return slices.ContainsFunc(views, func(view *stage.Stage) bool {
		i := slices.IndexFunc(view.Objects, func(o stage.Object) bool { return o.Member == m })
		return i >= 0 && view.Objects[i].Owner >= 0 && view.Objects[view.Objects[i].Owner].Object == p.top.of.Object
	})
}

func (p *picture) member(o trace.Object) *stage.Member {
	i := slices.IndexFunc(p.cast.Members, func(m *stage.Member) bool { return m.Object == o })
	return p.cast.Members[i]
}

// ownedX is the left edge of a box below the workload.
func (p *picture) ownedX(i int) int {
	each := storeWidth / max(len(p.owned), 1)
	return storeLeft + i*each + (each-boxWidth)/2
}

// set changes a box and its Pods.
func (o *object) set(f frame, view *stage.Stage) {
	at := slices.IndexFunc(view.Objects, func(other stage.Object) bool { return other.Member == o.of })
	o.there.set(f.at, opacity(at >= 0))
	o.lit.set(f.at, opacity(at >= 0 && view.Objects[at].Lit))
	said, pods := "", []int{}
	if at >= 0 {
		said = view.Objects[at].Says
		for i := range view.Objects {
			if view.Objects[i].Owner == at && view.Objects[i].IsPod() {
				pods = append(pods, i)
			}
		}
	}
	o.says.set(f.at, cut(said, 26))
	for len(o.cells) < min(len(pods), mostPods) {
		o.cells = append(o.cells, track{stops: []stop{{0, row(0, recording.Absent)}}})
	}
	for i := range o.cells {
		if i >= len(pods) {
			o.cells[i].set(f.at, row(0, recording.Absent))
			continue
		}
		pod := &view.Objects[pods[i]]
		o.cells[i].set(f.at, row(pod.Version, pod.Phase))
	}
}

// box draws an object.
func (p *picture) box(o *object, x, y int) {
	tone := ""
	if o.of.Version > 0 {
		tone = " " + string(palette.OfVersion(o.of.Version))
	}
	fmt.Fprintf(&p.body, `<g class="%s"><rect x="%d" y="%d" width="%d" height="%d" rx="7" class="box"/>`,
		p.animate(&o.there, step), x, y, boxWidth, boxHeight)
	fmt.Fprintf(&p.body, `<rect x="%d" y="%d" width="%d" height="%d" rx="7" class="lit %s"/>`, x, y, boxWidth, boxHeight, p.animate(&o.lit, step))
	fmt.Fprintf(&p.body, `<text x="%d" y="%d" class="b%s" text-anchor="middle">%s</text></g>`+"\n",
		x+boxWidth/2, y+17, tone, escape.Replace(cut(o.of.String(), 22)))
	p.body.WriteString(o.says.draw(&p.sheet, x, y+21, boxWidth, "n", "middle"))
}

// pods draws the Pods of an object in rows.
func (p *picture) pods(o *object, x, y int) {
	x += (boxWidth - podsInRow*podSize) / 2
	for i := range o.cells {
		cx, cy := x+i%podsInRow*podSize, y+i/podsInRow*(podSize+3)
		fmt.Fprintf(&p.body, `<svg x="%d" y="%d" width="%d" height="%[3]d"><g class="%s"><use href="#p"/></g></svg>`+"\n",
			cx, cy, podSize, p.animate(&o.cells[i], step))
	}
}

// row moves a Pod of a version in a phase into its window: the symbols of all phases stand below each other, for no version and for each.
func row(version int, phase recording.Phase) string {
	n := 0
	if version > 0 {
		n = (version-1)%len(palette.Versions) + 1
	}
	return fmt.Sprintf("transform:translateY(%dpx)", -(n*phases+int(phase))*podSize)
}

// phases is how many phases a Pod has.
const phases = int(recording.Succeeded) + 1
