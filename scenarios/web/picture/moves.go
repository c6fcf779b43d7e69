package picture

import (
	"fmt"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/trace"
)

// flight is how long a message takes to travel. Several can be under way.
const flight = 420 * time.Millisecond

// blink is how long a dot takes to appear and to disappear.
const blink = 10 * time.Millisecond

// point is a place in the picture.
type point struct{ x, y int }

// dot is a point that carries one message after the other.
type dot struct {
	track track
	// free is when it has carried its last message.
	free time.Duration
}

// moves lets dots travel between programs, objects and nodes.
func (p *picture) moves(views []*stage.Stage) {
	dots := map[string][]*dot{}
	for n, view := range views {
		for i := range view.Moves {
			p.send(dots, p.frames[n].at, &view.Moves[i], view)
		}
	}
	for _, class := range []string{"now", "watch", "failed"} {
		for _, d := range dots[class] {
			fmt.Fprintf(&p.body, `<circle r="6" class="%s %s"/>`+"\n", class, p.animate(&d.track, linear))
		}
	}
}

// send lets a dot carry a message. What the server refuses comes back.
func (p *picture) send(dots map[string][]*dot, at time.Duration, m *stage.Move, view *stage.Stage) {
	from, ok := p.sender(m)
	if !ok || m.End == scene.Held {
		return
	}
	to, class := p.target(m.Object, view), "now"
	if m.Node != "" {
		to.x += boxWidth
	}
	way := []point{from, to}
	switch {
	case m.Way == scene.Event:
		class, way = "watch", []point{to, from}
	case m.End == scene.Refused, m.End == scene.Denied:
		class, way = "failed", []point{from, to, from}
	}
	i := slices.IndexFunc(dots[class], func(d *dot) bool { return d.free+blink < at })
	if i < 0 {
		i = len(dots[class])
		d := &dot{track: track{still: place(way[0], 0)}}
		d.track.set(0, d.track.still)
		dots[class] = append(dots[class], d)
	}
	d := dots[class][i]
	d.track.stops = append(d.track.stops, stop{max(at-blink, 1), place(way[0], 0)}, stop{at, place(way[0], 1)})
	d.free = at
	for _, next := range way[1:] {
		d.free += flight
		d.track.stops = append(d.track.stops, stop{d.free, place(next, 1)})
	}
	d.free += blink
	d.track.stops = append(d.track.stops, stop{d.free, place(way[len(way)-1], 0)})
}

// sender is where a message begins: at the right of a program, or at the left of a node. ok is false for one that is not drawn.
func (p *picture) sender(m *stage.Move) (at point, ok bool) {
	if i, known := p.places[m.Node]; known {
		x, y := nodeAt(i)
		return point{x, y + nodeHeight/2}, true
	}
	if m.Program < 0 || m.Program >= mostPrograms {
		return point{}, false
	}
	return point{programsLeft + programsWidth, programTop(m.Program) + programHeight/2}, true
}

// target is the left edge of an object in the store: that of its own box, or of its owner's Pods.
func (p *picture) target(o trace.Object, view *stage.Stage) point {
	top := point{storeLeft + (storeWidth-boxWidth)/2, stageTop + boxHeight/2}
	i := slices.IndexFunc(view.Objects, func(other stage.Object) bool { return other.Object == o })
	if i < 0 || o == p.top.of.Object {
		return top
	}
	for n, owned := range p.owned {
		switch of := &view.Objects[i]; {
		case of.Member == owned.of:
			return point{p.ownedX(n), ownedTop + boxHeight/2}
		case of.Owner >= 0 && view.Objects[of.Owner].Member == owned.of:
			return point{p.ownedX(n), podsTop + podSize/2}
		}
	}
	return top
}

// place is where a dot is, and whether it can be seen.
func place(at point, opacity int) string {
	return fmt.Sprintf("transform:translate(%dpx,%dpx);opacity:%d", at.x, at.y, opacity)
}
