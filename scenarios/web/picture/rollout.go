package picture

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Where the workload is drawn, and how large a Pod is.
const (
	rolloutTop, rolloutWidth = 66, 440
	podSize, mostPods        = 30, 14
	barHeight, barStep       = 16, 22
)

// smooth is how long a bar takes to get from one length to the next.
const smooth = 150 * time.Millisecond

// bar is a count over time, and what it is compared with.
type bar struct {
	name   string
	tone   palette.Tone
	words  strip
	length track
	count  int
}

// set changes the count. The bar grows or shrinks to it.
func (b *bar) set(at time.Duration, count int, words string, scale int) {
	size := func(count int) string { return fmt.Sprintf("transform:scaleX(%.3f)", float64(count)/float64(scale)) }
	b.words.set(at, words)
	if len(b.length.stops) == 0 {
		b.length.set(0, size(count))
	} else if count != b.count {
		b.length.stops = append(b.length.stops, stop{at, size(b.count)}, stop{at + smooth, size(count)})
	}
	b.count = count
}

// rollout draws the first workload: its bars between their bounds, and its Pods.
func (p *picture) rollout() {
	w := p.Rec.Workloads()[0]
	states := make([]*scene.Rollout, len(p.frames))
	scale, last := 1, &scene.Rollout{}
	for i, f := range p.frames {
		states[i] = p.beat(f).Rollout(w)
		scale = max(scale, states[i].Widest)
		if len(states[i].Bars) > 0 {
			last = states[i]
		}
	}
	bars := make([]*bar, len(last.Bars))
	for n, of := range last.Bars {
		bars[n] = &bar{name: of.Name, tone: of.Tone}
		for i, f := range p.frames {
			now := scene.Bar{}
			if n < len(states[i].Bars) {
				now = states[i].Bars[n]
			}
			bars[n].set(f.at, now.Count, now.Words, scale)
		}
	}
	p.text(margin, rolloutTop+14, "b", last.Title)
	p.ruler(bars, last.Posts, scale)
	p.groups(states)
	p.legend()
}

// ruler draws bars below each other, and the posts that have words: each as long as the bar that it bounds.
func (p *picture) ruler(bars []*bar, posts []scene.Post, scale int) {
	const x, long, top = margin + 84, 252, rolloutTop + 46
	for i, b := range bars {
		y := top + i*barStep
		p.text(margin, y+13, "d", b.name)
		fmt.Fprintf(&p.body, `<g transform="translate(%d %d)"><rect width="%d" height="%d" class="%s %s"/></g>`+"\n",
			x, y, long, barHeight, b.tone, p.animate(&b.length, linear))
		p.body.WriteString(b.words.draw(&p.sheet, x+long+10, y-1, rolloutWidth-84-long-10, "m", "start"))
	}
	row := 0
	for _, post := range posts {
		if post.Word == "" {
			continue
		}
		at := x + long*post.Pods/scale
		fmt.Fprintf(&p.body, `<path d="M%d %dv%d" class="post"/>`, at, top-4, row*barStep+barHeight+8)
		fmt.Fprintf(&p.body, `<text x="%d" y="%d" class="n" text-anchor="middle">%d %s</text>`+"\n", at, top-8, post.Pods, post.Word)
		row++
	}
}

// group is a ReplicaSet, or all Pods of a workload without one.
type group struct {
	object trace.Object
	words  strip
	cells  []track
}

// mostGroups is how many groups there is room for.
const mostGroups = 2

// groups draws the Pods, the newest ReplicaSet first.
func (p *picture) groups(states []*scene.Rollout) {
	var all []*group
	for i, f := range p.frames {
		for n := range states[i].Groups {
			of := &states[i].Groups[n]
			at := slices.IndexFunc(all, func(g *group) bool { return g.object == of.Object })
			if at < 0 {
				all, at = slices.Insert(all, 0, &group{object: of.Object}), 0
			}
			all[at].set(f.at, of)
		}
	}
	for i, g := range all[:min(len(all), mostGroups)] {
		y := rolloutTop + 126 + i*(podSize+34)
		p.body.WriteString(g.words.draw(&p.sheet, margin, y, rolloutWidth, "m", "start"))
		for n := range g.cells[:min(len(g.cells), mostPods)] {
			fmt.Fprintf(&p.body, `<svg x="%d" y="%d" width="%d" height="%[3]d"><g class="%s"><use href="#p"/></g></svg>`+"\n",
				margin+n*podSize, y+22, podSize, p.animate(&g.cells[n], step))
		}
	}
}

// shown moves a phase of a Pod into its window.
func shown(phase recording.Phase) string {
	return fmt.Sprintf("transform:translateY(%dpx)", -int(phase)*podSize)
}

// set changes the Pods of the group. Before it exists, it has none.
func (g *group) set(at time.Duration, to *scene.Group) {
	if len(g.words.texts) == 0 && at > 0 {
		g.words.set(0, "")
	}
	image := to.Image[strings.LastIndex(to.Image, "/")+1:]
	g.words.set(at, cut(strings.TrimSpace(image+"  "+to.Name)+": "+to.Says, 60))
	for len(g.cells) < len(to.Pods) {
		g.cells = append(g.cells, track{stops: []stop{{0, shown(recording.Absent)}}})
	}
	for i := range g.cells {
		phase := recording.Absent
		if i < len(to.Pods) {
			phase = to.Pods[i]
		}
		g.cells[i].set(at, shown(phase))
	}
}

// legend says what the signs of Pods mean.
func (p *picture) legend() {
	x := margin
	for _, phase := range []recording.Phase{recording.Pending, recording.Running, recording.Available, recording.Terminating} {
		word, y := strings.ToLower(phase.Word()), rolloutTop+268
		fmt.Fprintf(&p.body, `<svg x="%d" y="%d" width="16" height="16" viewBox="0 %d %d %[4]d"><use href="#p"/></svg>`, x, y, int(phase)*podSize, podSize)
		p.text(x+20, y+12, "n", word)
		x += 36 + 7*len(word)
	}
}

// symbols are all phases of a Pod, below each other.
func symbols() string {
	const gap, size = 2, podSize - 4
	var b strings.Builder
	b.WriteString(`<defs><g id="p">`)
	for phase := recording.Pending; phase <= recording.Succeeded; phase++ {
		y := int(phase)*podSize + gap
		cx, cy := podSize/2, y+size/2
		shape := func(class, more string) {
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%[3]d" rx="5" class="%s"%s/>`, gap, y, size, class, more)
		}
		switch phase {
		case recording.Pending:
			shape("edge", ` stroke-dasharray="3 3"`)
		case recording.Running, recording.Ready:
			shape("edge", "")
			fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="6" class="pending"/>`, cx, cy)
		case recording.Available, recording.Succeeded:
			shape("ready", "")
			fmt.Fprintf(&b, `<path d="M%d %dl4 4 7-8" class="check"/>`, cx-5, cy)
		default:
			shape("edge", ` opacity=".5"`)
			fmt.Fprintf(&b, `<path d="M%d %dl10 10m0-10l-10 10" class="cross"/>`, cx-5, cy-5)
		}
	}
	b.WriteString("</g></defs>\n")
	return b.String()
}
