package picture

import (
	"fmt"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// Where the lanes are drawn: names from lanesLeft on, wires between two places, and the API server at the end of the wires.
const (
	lanesTop, lanesLeft = rolloutTop, margin + rolloutWidth + 28
	wireFrom, wireTo    = lanesLeft + 190, width - margin - 46
	laneHeight          = 44
	controllerHeight    = 66
	mostLanes           = 5
)

// flight is how long a message takes to travel. Several can be under way.
const flight = 420 * time.Millisecond

// blink is how long a dot takes to appear and to disappear.
const blink = 10 * time.Millisecond

// lane is a component, and what changes in it.
type lane struct {
	of                   *scene.Component
	message, knows, mark strip
	// dots are the messages under way, by their class.
	dots map[string][]*dot
}

// dot is a point that carries one message after the other.
type dot struct {
	track track
	// free is when it has carried its last message.
	free time.Duration
}

// lanes draws the components and their messages.
func (p *picture) lanes() {
	of := p.Foremost(mostLanes)
	all := make([]*lane, len(of))
	for i, o := range of {
		all[i] = &lane{of: o, dots: map[string][]*dot{}}
	}
	var version strip
	for _, f := range p.frames {
		for i, s := range p.beat(f).Programs(of) {
			all[i].set(f, &s)
		}
		for _, writes := range p.beat(f).Stored {
			version.set(f.at, fmt.Sprintf("rv %d", writes[0].RV))
			break
		}
	}
	y := lanesTop
	for _, l := range all {
		p.lane(l, y)
		y += heightOf(l.of)
	}
	x := wireTo + 8
	fmt.Fprintf(&p.body, `<rect x="%d" y="%d" width="38" height="%d" rx="6" class="server"/>`+"\n", x, lanesTop, y-lanesTop)
	fmt.Fprintf(&p.body, `<text transform="translate(%d %d) rotate(90)" text-anchor="middle" class="b">API server</text>`+"\n", x+15, (lanesTop+y)/2)
	p.body.WriteString(version.draw(&p.sheet, x-60, y+4, 98, "n", "end"))
}

func heightOf(o *scene.Component) int {
	if o.Syncs {
		return controllerHeight
	}
	return laneHeight
}

// set changes a lane. A message that is new travels.
func (l *lane) set(f frame, s *scene.Program) {
	l.mark.set(f.at, s.Mark+" "+s.Name)
	if s.Queue != "" {
		text := "queue: " + s.Queue
		if s.Stale {
			text += " · cache is behind"
		}
		l.knows.set(f.at, cut(text, 57))
	}
	m := s.Message
	if m == nil {
		l.message.set(f.at, "")
		return
	}
	text := m.Text
	if m.End == scene.Refused {
		text = "refused: " + text
	}
	l.message.set(f.at, cut(visible.Line(text), 31))
	if m.Seq == f.seq || m.Way == scene.Event && m.Current {
		l.send(f.at, m)
	}
}

// send lets a dot carry a message.
func (l *lane) send(at time.Duration, m *scene.Message) {
	class, from, to := "now", wireFrom, wireTo
	switch {
	case m.Way == scene.Event:
		class, from, to = "watch", wireTo, wireFrom
	case m.End == scene.Refused, m.End == scene.Denied:
		class = "failed"
	}
	var d *dot
	for _, other := range l.dots[class] {
		if d == nil && other.free+blink < at {
			d = other
		}
	}
	if d == nil {
		d = &dot{track: track{still: place(from, 0)}}
		d.track.set(0, d.track.still)
		l.dots[class] = append(l.dots[class], d)
	}
	d.free = at + flight
	d.track.stops = append(d.track.stops, stop{max(at-blink, 1), place(from, 0)}, stop{at, place(from, 1)}, stop{d.free, place(to, 1)})
	if m.End == scene.Refused {
		// What the server refuses comes back.
		to, d.free = from, d.free+flight
		d.track.stops = append(d.track.stops, stop{d.free, place(to, 1)})
	}
	d.free += blink
	d.track.stops = append(d.track.stops, stop{d.free, place(to, 0)})
}

// place is where a dot is, and whether it can be seen.
func place(x, opacity int) string {
	return fmt.Sprintf("transform:translateX(%dpx);opacity:%d", x, opacity)
}

// lane draws a component.
func (p *picture) lane(l *lane, y int) {
	p.body.WriteString(l.mark.draw(&p.sheet, lanesLeft, y+8, wireFrom-lanesLeft-4, "b", "start"))
	p.body.WriteString(l.message.draw(&p.sheet, wireFrom, y, wireTo-wireFrom, "n", "start"))
	wire := y + 26
	fmt.Fprintf(&p.body, `<path d="M%d %dH%d" class="wire"/>`+"\n", wireFrom, wire, wireTo+8)
	for _, class := range []string{"now", "watch", "failed"} {
		for _, d := range l.dots[class] {
			fmt.Fprintf(&p.body, `<circle cy="%d" r="5" class="%s %s"/>`+"\n", wire, class, p.animate(&d.track, linear))
		}
	}
	if len(l.knows.texts) > 0 {
		p.body.WriteString(l.knows.draw(&p.sheet, lanesLeft+16, y+34, wireTo-lanesLeft-16, "n", "start"))
	}
}
