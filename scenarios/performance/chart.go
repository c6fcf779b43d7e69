package main

import (
	"fmt"
	"html"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
)

// pictureFile is the file of a curve's picture, beside the page.
func pictureFile(page, curve string) string {
	return filepath.Join(filepath.Dir(page), "images", "growth-"+curve+".svg")
}

// The size of a picture in pixels, and of each of its two panels with what is around them.
const (
	pictureWidth, pictureHeight = 820, 330
	panelWidth, panelHeight     = 320, 220
	panelLeft, panelTop         = 62, 46
)

// rules are the style of what is drawn, in the colors of the palette.
const rules = `text{font:12px system-ui,sans-serif;fill:var(--text)}.t{font-weight:bold}.d{fill:var(--dim)}
.paper{fill:var(--back);stroke:var(--line)}.grid{stroke:var(--track)}.frame{fill:none;stroke:var(--dim)}
.same{fill:none;stroke:var(--dim);stroke-width:1.5;stroke-dasharray:6 5}
.cpu,.memory{fill:none;stroke-width:2}.cpu{stroke:var(--now)}.memory{stroke:var(--ready)}
.cpus{fill:var(--now)}.memorys{fill:var(--ready)}`

// drawing is a picture under way.
type drawing struct{ strings.Builder }

func (d *drawing) add(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

// picture draws the CPU time and the peak memory of a curve, each over the size, with logarithmic scales. A dashed line through the
// last point has the slope 1, which is growth in proportion.
func picture(c curve, points []point) string {
	var d drawing
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`, pictureWidth, pictureHeight)
	d.add("<title>CPU time and peak memory over %s</title>", html.EscapeString(c.axis))
	d.add("<style>\n%s%s\n</style>", palette.CSS("svg", false), rules)
	d.add(`<rect x=".5" y=".5" width="%d" height="%d" rx="8" class="paper"/>`, pictureWidth-1, pictureHeight-1)
	for i, panel := range []panel{
		{title: "CPU time (s)", class: "cpu", of: func(p point) float64 { return p.cpu }},
		{title: "Peak memory (MB)", class: "memory", of: func(p point) float64 { return p.memory }},
	} {
		panel.left = panelLeft + i*pictureWidth/2
		panel.draw(&d, c, points)
	}
	d.add("</svg>")
	return d.String()
}

// panel is one of the diagrams of a picture.
type panel struct {
	title, class string
	of           func(p point) float64
	left         int
	x, y         scale
}

// scale maps numbers to pixels by their logarithms.
type scale struct {
	least, most  float64
	origin, long float64
}

func (s scale) at(n float64) float64 {
	return s.origin + s.long*math.Log(n/s.least)/math.Log(s.most/s.least)
}

// ticks are 1, 2 and 5 of each power of ten in the scale.
func (s scale) ticks() (ticks []float64) {
	for power := math.Floor(math.Log10(s.least)); power <= math.Ceil(math.Log10(s.most)); power++ {
		for _, digit := range []float64{1, 2, 5} {
			const rounding = 1e-9
			// The text of a number has no error of the product.
			tick, _ := strconv.ParseFloat(fmt.Sprintf("%ge%d", digit, int(power)), 64)
			if tick >= s.least*(1-rounding) && tick <= s.most*(1+rounding) {
				ticks = append(ticks, tick)
			}
		}
	}
	return ticks
}

// around is a scale that has room for numbers, to the next 1, 2 or 5 of a power of ten.
func around(least, most, origin, long float64) scale {
	const some = 1.01
	most = max(most, least*some)
	ticks := scale{least: least / 10, most: most * 10}.ticks()
	s := scale{ticks[0], ticks[len(ticks)-1], origin, long}
	for _, tick := range ticks {
		if tick <= least {
			s.least = tick
		}
		if tick >= most {
			s.most = tick
			break
		}
	}
	return s
}

// draw draws the panel of a curve.
func (p *panel) draw(d *drawing, c curve, points []point) {
	first, last := points[0], points[len(points)-1]
	least, most := p.of(first), p.of(first)
	for _, point := range points {
		least, most = min(least, p.of(point)), max(most, p.of(point))
	}
	// A curve that hardly grows is to look flat: the costs span a power of ten at least.
	if decade := math.Sqrt(10); most < least*decade*decade {
		middle := math.Sqrt(least * most)
		least, most = middle/decade, middle*decade
	}
	p.x = around(first.size, last.size, float64(p.left), panelWidth)
	p.y = around(least, most, panelTop+panelHeight, -panelHeight)
	p.axes(d, c)
	p.proportion(d, last)
	var line []string
	for _, point := range points {
		line = append(line, fmt.Sprintf("%.1f,%.1f", p.x.at(point.size), p.y.at(p.of(point))))
	}
	d.add(`<polyline points="%s" class="%s"/>`, strings.Join(line, " "), p.class)
	for _, at := range line {
		x, y, _ := strings.Cut(at, ",")
		d.add(`<circle cx="%s" cy="%s" r="4" class="%ss"/>`, x, y, p.class)
	}
}

// axes draws the frame, the grid and its numbers.
func (p *panel) axes(d *drawing, c curve) {
	const bottom, tall = panelTop + panelHeight, 4
	right := p.left + panelWidth
	for _, tick := range p.x.ticks() {
		d.add(`<path d="M%.1f %dV%d" class="grid"/>`, p.x.at(tick), panelTop, bottom)
		d.add(`<text x="%.1f" y="%d" class="d" text-anchor="middle">%s</text>`, p.x.at(tick), bottom+17, short(tick))
	}
	for _, tick := range p.y.ticks() {
		d.add(`<path d="M%d %.1fH%d" class="grid"/>`, p.left, p.y.at(tick), right)
		d.add(`<text x="%d" y="%.1f" class="d" text-anchor="end">%s</text>`, p.left-8, p.y.at(tick)+tall, short(tick))
	}
	d.add(`<rect x="%d" y="%d" width="%d" height="%d" class="frame"/>`, p.left, panelTop, panelWidth, panelHeight)
	d.add(`<text x="%d" y="%d" class="t">%s</text>`, p.left, panelTop-14, p.title)
	d.add(`<text x="%d" y="%d" class="d" text-anchor="end">dashed: in proportion</text>`, right, panelTop-14)
	d.add(`<text x="%d" y="%d" text-anchor="middle">%s</text>`, p.left+panelWidth/2, bottom+42, html.EscapeString(c.axis))
}

// proportion draws the line of slope 1 through a point, as far as it is in the panel.
func (p *panel) proportion(d *drawing, through point) {
	ratio := p.of(through) / through.size
	from, to := max(p.x.least, p.y.least/ratio), min(p.x.most, p.y.most/ratio)
	d.add(`<path d="M%.1f %.1fL%.1f %.1f" class="same"/>`, p.x.at(from), p.y.at(from*ratio), p.x.at(to), p.y.at(to*ratio))
}

// short writes the number of a tick.
func short(n float64) string {
	const thousand = 1000
	if n >= 10*thousand {
		return fmt.Sprintf("%.0fk", n/thousand)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
