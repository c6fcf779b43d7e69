package statespace

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders"
	"github.com/kubestep/kubestep/sim/trace"
)

// captionLine is the height of a line, and captionsMost how many failing groups have one.
const captionLine, captionsMost = 18, 3

// caption is a line below the states.
type caption struct {
	class, text string
	// indent is how far it stands to the right.
	indent int
}

// captionLines say of the first failing groups what fails, and which choices make the difference.
func (d *drawing) captionLines() (lines []caption) {
	groups := d.Results.Groups()
	for i, g := range groups[:min(len(groups), captionsMost)] {
		list := d.Lists[g.Smallest]
		lines = append(lines, caption{"f", fmt.Sprintf("◆ %d. %s: --choices %s", i+1, sweep.Headline(g), orders.ListText(list)), 0})
		for _, text := range d.Differences(list) {
			lines = append(lines, caption{"d", text, 18})
		}
	}
	if more := len(groups) - captionsMost; more > 0 {
		lines = append(lines, caption{"d", "and " + trace.Count(more, "further group"), 0})
	}
	return lines
}

// captions writes them.
func (d *drawing) captions() {
	lines := d.captionLines()
	y := d.height - legend - float64(len(lines)*captionLine) + 14
	for _, c := range lines {
		d.add(`<text x="%d" y="%.0f" class="%s">%s</text>`, margin+c.indent, y, c.class, escaped(cut(c.text, width/8)))
		y += captionLine
	}
}

// legend explains what is drawn.
func (d *drawing) legend() {
	const sample, tall = 34, 4
	y := d.height - 40
	x := float64(margin)
	entry := func(text, drawn string, args ...any) {
		d.add(`<g transform="translate(%.0f %.0f)">`+drawn+`<text x="%d" y="%d" class="n">%s</text></g>`,
			append(append([]any{x, y}, args...), sample+8, tall, escaped(text))...)
		x += sample + 28 + float64(len(text))*6.7
	}
	entry("the default order: each choice is 0", `<path d="M0 0H%d" class="e spine"/>`, sample)
	entry("choice 0", `<path d="M0 0H%d" class="e"/>`, sample)
	entry("another choice: another event comes first", `<path d="M0 0H%d" class="e other"/>`, sample)
	if d.Failed() {
		entry("the first run that fails, from there on", `<path d="M0 0H%d" class="e wrong"/>`, sample)
	}
	x, y = margin, y+22
	entry("a state in which several events may come next", `<circle cx="%d" r="5" class="good"/>`, sample/2)
	if d.Failed() {
		entry("one from which the default order fails", `<path d="M%d -6l6 6l-6 6l-6 -6z" class="bad"/>`, sample/2)
	}
	entry("an end", `<circle cx="%d" r="4" class="good"/><circle cx="%[3]d" r="7" class="ring"/>`, sample/2)
	d.add(`<text x="%d" y="%.0f" class="n" text-anchor="end">point at a line or a state for what happens</text>`, width-margin, y+tall)
}
