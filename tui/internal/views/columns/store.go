package columns

import (
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// store are the objects as boxes, each with lines down to what it owns, or as an outline where there is no room for boxes.
func (d *drawing) store(c pane.Canvas) []string {
	if len(d.Objects) == 0 {
		return []string{d.Theme.Dim.Render("Nothing is stored yet.")}
	}
	if lines, ok := d.forest(c.Width); ok && len(lines) <= c.Height {
		return d.withPast(lines, c)
	}
	return d.withPast(d.outline(c.Width), c)
}

// owned are the indexes of the objects that an object owns, in their order; those of -1 have no owner.
func (d *drawing) owned(owner int) (list []int) {
	for i := range d.Objects {
		if d.Objects[i].Owner == owner {
			list = append(list, i)
		}
	}
	return list
}

// split parts Pods from all other objects.
func (d *drawing) split(list []int) (pods, others []int) {
	for _, i := range list {
		if d.Objects[i].IsPod() {
			pods = append(pods, i)
			continue
		}
		others = append(others, i)
	}
	return pods, others
}

// leastTree is the width without which an object has no room for a box.
const leastTree = 20

// forest are the trees of all objects beside each other, as many as there is room for in a row. ok is false if a tree has no room.
func (d *drawing) forest(width int) (lines []string, ok bool) {
	pods, roots := d.split(d.owned(-1))
	for len(roots) > 0 {
		n := min(len(roots), max(width/(leastTree+10), 1))
		var row [][]string
		for i, root := range roots[:n] {
			block, ok := d.tree(root, width*(i+1)/n-width*i/n)
			if !ok {
				return nil, false
			}
			row = append(row, block)
		}
		lines = append(append(lines, beside(row)...), "")
		roots = roots[n:]
	}
	return append(lines, d.podLines(pods, width)...), true
}

// beside puts blocks beside each other, filled up to the longest one.
func beside(blocks [][]string) []string {
	height := 0
	for _, b := range blocks {
		height = max(height, len(b))
	}
	for i, b := range blocks {
		width := 0
		if len(b) > 0 {
			width = frame.Width(b[0])
		}
		blocks[i] = frame.Block(b, width, height)
	}
	return frame.Beside(blocks...)
}

// tree is an object as a box, with what it owns below it, in lines of exactly the width.
func (d *drawing) tree(i, width int) (lines []string, ok bool) {
	if width < leastTree {
		return nil, false
	}
	pods, others := d.split(d.owned(i))
	lines = d.box(i, width, len(others) > 0)
	for _, line := range d.podLines(pods, width) {
		lines = append(lines, center(line, width))
	}
	if len(others) == 0 {
		return lines, true
	}
	var row [][]string
	middles := make([]int, len(others))
	for n, child := range others {
		from, to := width*n/len(others), width*(n+1)/len(others)
		block, ok := d.tree(child, to-from)
		if !ok {
			return nil, false
		}
		middles[n] = from + (to-from)/2
		row = append(row, block)
	}
	if len(others) > 1 {
		lines = append(lines, d.Theme.Dim.Render(branch(width, width/2, middles)))
	}
	return append(lines, beside(row)...), true
}

// branch is the line between an owner, whose line comes down in the middle, and the middles of what it owns.
func branch(width, middle int, below []int) string {
	line := []rune(strings.Repeat(" ", width))
	first, last := below[0], below[len(below)-1]
	for i := first; i <= last; i++ {
		line[i] = '─'
	}
	line[first], line[last] = '╭', '╮'
	for _, i := range below[1 : len(below)-1] {
		line[i] = '┬'
	}
	switch line[middle] {
	case '┬':
		line[middle] = '┼'
	case '─':
		line[middle] = '┴'
	}
	return string(line)
}

// box is an object in its middle: its kind and name in the border, and what it says of itself inside. A line comes out of its bottom if
// it owns something.
func (d *drawing) box(i, width int, owner bool) []string {
	o := &d.Objects[i]
	title := frame.Middle(o.String(), width-6)
	if d.selected(i) {
		title = "▸ " + title
	}
	inner := min(max(frame.Width(title)+1, frame.Width(o.Says)), width-4)
	border, name := d.Theme.Dim, d.Theme.Tone(palette.OfVersion(o.Version)).Bold(true)
	corners := []string{"╭", "╮", "╰", "╯", "─", "│"}
	if o.Lit {
		border, corners = d.Theme.Now, []string{"┏", "┓", "┗", "┛", "━", "┃"}
	}
	top := border.Render(corners[0]+" ") + name.Render(title) + " " +
		border.Render(strings.Repeat(corners[4], max(inner-frame.Width(title), 0))+corners[1])
	says := border.Render(corners[5]+" ") + d.Theme.Tone(o.Tone).Render(frame.Fit(o.Says, inner)) + border.Render(" "+corners[5])
	// The line comes down in the middle of the whole width, where the branch begins.
	left := (width - inner - 4) / 2
	line := []rune(strings.Repeat(corners[4], inner+2))
	if at := width/2 - left - 1; owner && at >= 0 && at < len(line) {
		line[at] = '┬'
	}
	bottom := border.Render(corners[2] + string(line) + corners[3])
	lines := []string{top, says, bottom}
	if o.Says == "" {
		lines = []string{top, bottom}
	}
	for n := range lines {
		lines[n] = frame.Fit(strings.Repeat(" ", left)+d.mark(touch.Thing{Object: o.Object}, lines[n]), width)
	}
	return lines
}

func center(line string, width int) string {
	return frame.Fit(strings.Repeat(" ", max((width-frame.Width(line))/2, 0))+line, width)
}

// podLines are Pods in as few lines as there is room for: a glyph, the number, and what is wrong.
func (d *drawing) podLines(pods []int, width int) []string {
	cells := make([]string, len(pods))
	for n, i := range pods {
		cells[n] = d.pod(i, d.Objects[i].Owner < 0)
	}
	return rows(cells, width)
}

// rows puts texts beside each other, with two cells between them, in as few lines of the width as there is room for.
func rows(texts []string, width int) (lines []string) {
	line, used := "", 0
	for _, text := range texts {
		cells := frame.Width(text)
		if used > 0 && used+2+cells > width {
			lines = append(lines, line)
			line, used = "", 0
		}
		if used > 0 {
			line, used = line+"  ", used+2
		}
		line, used = line+text, used+cells
	}
	if used > 0 {
		lines = append(lines, line)
	}
	return lines
}

// pod is a Pod in a few cells.
func (d *drawing) pod(i int, whole bool) string {
	o := &d.Objects[i]
	name := o.Short
	if whole {
		name = o.Name
	}
	style := d.Theme.Tone(palette.OfVersion(o.Version))
	if o.Lit {
		style = style.Underline(true).Bold(true)
	}
	says := ""
	if o.Says != "" {
		says = " " + o.Says
	}
	mark := ""
	if d.selected(i) {
		mark = "▸"
	}
	return d.mark(touch.Thing{Object: o.Object}, mark+d.Glyph(o.Phase)+style.Render(name)+d.Theme.Tone(o.Tone).Render(says))
}

// outline are the objects below each other, with lines to their owners.
func (d *drawing) outline(width int) []string {
	var order, depths []int
	var add func(list []int, depth int)
	add = func(list []int, depth int) {
		pods, others := d.split(list)
		if len(pods) > 0 {
			order, depths = append(order, -1-pods[0]), append(depths, depth)
		}
		for _, i := range others {
			order, depths = append(order, i), append(depths, depth)
			if depth < deepest {
				add(d.owned(i), depth+1)
			}
		}
	}
	add(d.owned(-1), 0)
	lines := make([]string, 0, len(order))
	for n, line := range frame.Outline(depths) {
		i := order[n]
		if i >= 0 {
			lines = append(lines, d.Theme.Dim.Render(line)+d.line(i))
			continue
		}
		pods, _ := d.split(d.owned(d.Objects[-1-i].Owner))
		for k, pod := range d.podLines(pods, max(width-frame.Width(line), 10)) {
			if k > 0 {
				line = strings.Repeat(" ", frame.Width(line))
			}
			lines = append(lines, d.Theme.Dim.Render(line)+pod)
		}
	}
	return lines
}

// deepest is how many owners are followed: a cycle of owners is possible, though never intended.
const deepest = 8

// line is an object in one line.
func (d *drawing) line(i int) string {
	o := &d.Objects[i]
	style := d.Theme.Tone(palette.OfVersion(o.Version)).Bold(true)
	mark := ""
	if d.selected(i) {
		mark = "▸ "
	}
	if o.Lit {
		style, mark = d.Theme.Now, mark+"* "
	}
	return d.mark(touch.Thing{Object: o.Object}, style.Render(mark+o.String())+"  "+d.Theme.Tone(o.Tone).Render(o.Says))
}
