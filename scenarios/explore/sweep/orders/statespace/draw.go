package statespace

import (
	_ "embed"
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

//go:embed style.css
var rules string

// The measures of a picture in pixels.
const (
	width, margin = 1240, 20
	// header is what stands above the first row, labels the times above each row, and legend the last lines.
	header, labels, legend = 74, 26, 66
	// startRoom is for the word at the start. The words at the ends have so many characters at most, each so wide.
	startRoom, endMost, character = 50, 24, 7
	// stub is how long a line is drawn beyond the last column of a row that it leaves.
	stub = 14
	// Columns and lanes are so far apart.
	leastStep, mostStep = 7, 150
	leastLane, mostLane = 11, 44
	// usual is how high all lanes together are meant to be.
	usual = 470
)

// drawing is a picture under way.
type drawing struct {
	strings.Builder
	*layout
	*orders.Summary
	// step is how far columns are apart, lane how far lanes are, and tops are the middles of lane 0 in each row.
	step, lane  float64
	tops        []float64
	left, right float64
	dot         float64
	height      float64
	failing     []bool
}

// SVG draws a search.
func SVG(s *orders.Summary) string {
	room := width - 2*margin - startRoom - endRoom(s.Graph)
	d := &drawing{layout: newLayout(s.Graph, room/leastStep), Summary: s}
	d.failing = d.fails()
	d.measure(room)
	d.add(input.FilmMark+` width="%d" height="%.0f" viewBox="0 0 %[1]d %.0[2]f" role="img">`, width, d.height)
	d.add("<title>%s</title>", escaped(d.title()))
	d.add("<style>\n%s%s</style>", palette.CSS("svg", false), rules)
	d.add(`<rect x=".5" y=".5" width="%d" height="%.0f" rx="8" class="paper"/>`, width-1, d.height-1)
	d.add(`<text x="%d" y="34" class="t">%s</text>`, margin, escaped(d.title()))
	d.add(`<text x="%d" y="56" class="d">%s</text>`, margin, escaped(d.Statement()))
	d.times()
	d.choices()
	d.nodes()
	d.captions()
	d.legend()
	d.add("</svg>")
	return d.Builder.String()
}

// endRoom is for the words at the ends.
func endRoom(g *orders.Graph) int {
	longest := 0
	for _, end := range g.Ends {
		longest = max(longest, len(end.Text()))
	}
	const mark = 20
	return mark + character*min(longest, endMost)
}

func (d *drawing) add(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

// escaped is a text as SVG and HTML have it. Hidden characters are shown by their numbers.
func escaped(text string) string { return html.EscapeString(visible.Text(text)) }

func (d *drawing) title() string { return "Orders of " + d.Results.Header.Name }

// measure finds out how large everything is.
func (d *drawing) measure(room int) {
	longest, high := 1, 0
	for _, r := range d.rows {
		longest, high = max(longest, r.to-r.from-1), high+r.bottom-r.top
	}
	d.step = min(float64(room)/float64(longest), mostStep)
	d.lane = max(min(usual/float64(max(high, 1)), mostLane), leastLane)
	d.dot = max(min(d.step*.28, d.lane*.3, 7), 2)
	d.left = margin + startRoom
	d.right = d.left + d.step*float64(longest)
	y := float64(header)
	for _, r := range d.rows {
		y += labels - float64(r.top)*d.lane + d.lane/2
		d.tops = append(d.tops, y)
		y += float64(r.bottom)*d.lane + d.lane
	}
	d.height = y + legend + float64(len(d.captionLines())*captionLine)
}

// y is the height of a lane in a row.
func (d *drawing) y(row, lane int) float64 { return d.tops[row] + float64(lane)*d.lane }

// at is where a state or an end is drawn.
func (d *drawing) at(p place) (x, y float64) {
	row := d.row(p.column)
	return d.left + float64(p.column-d.rows[row].from)*d.step, d.y(row, p.lane)
}

// times draws a stripe for every other time, with the time above it if there is room.
func (d *drawing) times() {
	const word = 52
	for i, r := range d.rows {
		free := 0.0
		top, bottom := d.y(i, r.top)-d.lane*.8, d.y(i, r.bottom)+d.lane*.8
		for n, b := range d.bands {
			from, to := max(b.from, r.from), min(b.to, r.to)
			if from >= to {
				continue
			}
			x := d.left + (float64(from-r.from)-.5)*d.step
			if n%2 == 0 {
				d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="stripe"/>`, x, top, float64(to-from)*d.step, bottom-top)
			}
			if x >= free {
				d.add(`<text x="%.1f" y="%.1f" class="n">%s</text>`, x+2, top-6, trace.Seconds(b.at))
				free = x + word
			}
		}
	}
}

// choices draws the lines: first the ordinary ones, then the default run and those that fail, so that these are in front.
func (d *drawing) choices() {
	front := d.emphasized()
	for _, class := range []string{"", "spine", "wrong"} {
		for _, e := range d.edges() {
			if front[taken{e.from, e.chosen}] != class {
				continue
			}
			style := class
			if e.chosen > 0 {
				style += " other"
			}
			d.add(`<path d="%s" class="e %s"><title>%s</title></path>`, d.line(e), strings.TrimSpace(style), escaped(choiceTitle(e)))
		}
	}
}

// taken is a choice in a state.
type taken struct {
	*orders.State
	chosen int
}

// emphasized are the steps of the default run, and of the first failing run of each group from its first other choice on.
func (d *drawing) emphasized() map[taken]string {
	classes := map[taken]string{}
	mark := func(list []int, class string) {
		states, _ := d.Path(list)
		left := class == "spine"
		for i, s := range states {
			chosen := 0
			if i < len(list) {
				chosen = list[i]
			}
			if left = left || chosen > 0; left {
				classes[taken{s, chosen}] = class
			}
		}
	}
	mark(nil, "spine")
	for _, g := range d.Results.Groups() {
		mark(d.Lists[g.Smallest], "wrong")
	}
	return classes
}

// choiceTitle is what a reader sees who points at a line.
func choiceTitle(e edge) string {
	open := e.from.Open
	title := fmt.Sprintf("%s: choice %d of 0 to %d\n%s", trace.Seconds(e.from.At), e.chosen, len(open)-1, orders.Words(open[e.chosen]))
	if e.chosen > 0 {
		title += "\nbefore " + orders.Words(open[0])
	}
	return title
}

// nodes draws the states and the ends.
func (d *drawing) nodes() {
	if len(d.States) > 0 {
		x, y := d.at(d.states[0])
		d.add(`<text x="%.1f" y="%.1f" class="n" text-anchor="end">start</text>`, x-d.dot-8, y+4)
	}
	for i, s := range d.States {
		x, y := d.at(d.states[i])
		d.mark(x, y, d.dot, d.failing[i], stateTitle(s))
	}
	for i, end := range d.Ends {
		x, y := d.at(d.ends[i])
		size := max(d.dot, 4)
		d.mark(x, y, size, end.Failed(), end.Text())
		d.ring(x, y, size+3.5, end.Failed())
		d.add(`<text x="%.1f" y="%.1f" class="b">%s</text>`, x+size+9, y+4, escaped(cut(end.Text(), endMost)))
	}
}

// mark draws a state: a circle, or a square on its corner if the default order fails from there.
func (d *drawing) mark(x, y, size float64, failing bool, title string) {
	title = escaped(title)
	if failing {
		d.add(`<path d="%s" class="bad"><title>%s</title></path>`, diamond(x, y, size*larger), title)
		return
	}
	d.add(`<circle cx="%.1f" cy="%.1f" r="%.1f" class="good"><title>%s</title></circle>`, x, y, size, title)
}

// ring is around an end.
func (d *drawing) ring(x, y, size float64, failing bool) {
	if failing {
		d.add(`<path d="%s" class="ring"/>`, diamond(x, y, size*larger))
		return
	}
	d.add(`<circle cx="%.1f" cy="%.1f" r="%.1f" class="ring"/>`, x, y, size)
}

// larger is how much more a square on its corner extends than a circle that looks as large.
const larger = 1.3

// diamond is the path of a square on its corner.
func diamond(x, y, r float64) string {
	return fmt.Sprintf("M%.1f %.1fl%.1f %.1fl-%.1[3]f %.1[3]fl-%.1[3]f -%.1[3]fz", x, y-r, r, r)
}

// stateTitle is what a reader sees who points at a state.
func stateTitle(s *orders.State) string {
	lines := []string{trace.Seconds(s.At) + ", in the run with --choices " + orders.ListText(s.List)}
	for _, fact := range s.Changed {
		lines = append(lines, strings.TrimSpace(fact.Object+" "+fact.Values))
	}
	lines = append(lines, "what may come next:")
	for i, open := range s.Open {
		lines = append(lines, strconv.Itoa(i)+" "+orders.Words(open))
	}
	return strings.Join(lines, "\n")
}

// cut shortens a text.
func cut(text string, longest int) string {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest-1]) + "…"
	}
	return text
}
