package picture

import (
	"fmt"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
)

// Where the bars of the workload are.
const rulerTop, barHeight, barStep = stageTop + stageHeight + 26, 12, 18

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

// ruler draws the counts of the first workload as bars between their bounds.
func (p *picture) ruler() {
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
	p.bars(bars, last.Posts, scale)
}

// bars draws bars below each other, and the posts that have words: each as long as the bar that it bounds.
func (p *picture) bars(bars []*bar, posts []scene.Post, scale int) {
	const x, long = margin + 84, 650
	for i, b := range bars {
		y := rulerTop + i*barStep
		p.text(margin, y+11, "d", b.name)
		fmt.Fprintf(&p.body, `<g transform="translate(%d %d)"><rect width="%d" height="%d" class="%s %s"/></g>`+"\n",
			x, y, long, barHeight, b.tone, p.animate(&b.length, linear))
		p.body.WriteString(b.words.draw(&p.sheet, x+long+12, y-3, width-margin-x-long-12, "m", "start"))
	}
	row := 0
	for _, post := range posts {
		if post.Word == "" {
			continue
		}
		at := x + long*post.Pods/scale
		fmt.Fprintf(&p.body, `<path d="M%d %dv%d" class="post"/>`, at, rulerTop-4, row*barStep+barHeight+8)
		fmt.Fprintf(&p.body, `<text x="%d" y="%d" class="n" text-anchor="middle">%d %s</text>`+"\n", at, rulerTop-8, post.Pods, post.Word)
		row++
	}
}
