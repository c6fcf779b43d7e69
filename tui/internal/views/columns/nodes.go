package columns

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// nodes are the cards of the nodes below each other, with borders if there is room for them.
func (d *drawing) nodes(c pane.Canvas) []string {
	var boxed, plain []string
	for i := range d.Nodes {
		n := &d.Nodes[i]
		lines := d.card(n, c.Width-4)
		style := d.Theme.Dim
		if n.Lit {
			style = d.Theme.Now
		}
		boxed = append(boxed, d.ofNode(n, frame.Box(d.head(n), lines, c.Width, len(lines)+2, style))...)
		plain = append(plain, d.ofNode(n, append([]string{d.head(n)}, d.card(n, c.Width)...))...)
	}
	switch {
	case len(boxed) <= c.Height:
		return boxed
	case len(plain) <= c.Height:
		return plain
	}
	return d.seats(c.Width)
}

// ofNode are lines that belong to a node.
func (d *drawing) ofNode(n *stage.Node, lines []string) []string {
	return d.marked(touch.Thing{Object: stage.NodeObject(n.Name)}, lines)
}

// head is the name of a node, its zone, and what is unusual.
func (d *drawing) head(n *stage.Node) string {
	head := d.Theme.Title.Render(n.Name)
	if stage.NodeObject(n.Name) == d.Selected {
		head = d.Theme.Note.Render("▸ ") + head
	}
	if n.Zone != "" {
		head += d.Theme.Dim.Render(" zone " + n.Zone)
	}
	if n.State != "" {
		head += " " + d.Theme.Tone(n.Tone).Render(n.State)
	}
	if opinion := d.opinion(n.Name); opinion != "" {
		head += " " + opinion
	}
	return head
}

// card is what a node is like: its taints, its Pods, the message of its kubelet, and how much of it is requested.
func (d *drawing) card(n *stage.Node, width int) (lines []string) {
	for _, taint := range n.Taints {
		lines = append(lines, d.Theme.Pending.Render(frame.Fit("taint "+taint, width)))
	}
	for i := range d.Moves {
		if m := &d.Moves[i]; m.Node == n.Name {
			lines = append(lines, d.wire(m, width, true))
		}
	}
	pods := d.seated(n, width)
	if len(pods) == 0 {
		pods = []string{""}
	}
	lines = append(lines, pods...)
	for _, m := range n.Meters {
		lines = append(lines, d.meter(&m, width))
	}
	return lines
}

// seated are the Pods of a node, each with its version.
func (d *drawing) seated(n *stage.Node, width int) []string {
	texts := make([]string, len(n.Pods))
	for i, pod := range n.Pods {
		o := &d.Objects[pod]
		style := d.Theme.Tone(palette.OfVersion(o.Version))
		if o.Lit {
			style = style.Underline(true).Bold(true)
		}
		// The dots of the name are tight: there is little room.
		name := frame.Middle(strings.ReplaceAll(o.Name, " · ", "·"), width-2)
		texts[i] = d.mark(touch.Thing{Object: o.Object}, style.Render(name)+" "+d.Glyph(o.Phase))
	}
	return rows(texts, width)
}

// meterCells is the length of a bar, and meterName the width of the name of a resource.
const meterCells, meterName = 8, 7

// meter is a resource as a bar: how much of it the Pods request.
func (d *drawing) meter(m *stage.Meter, width int) string {
	full := m.Share * meterCells / 100
	if m.Share > 0 {
		full = max(full, 1)
	}
	name := m.Resource[strings.LastIndex(m.Resource, "/")+1:]
	text := fmt.Sprintf("%s%s%s %s", frame.Fit(frame.Middle(name, meterName-1), meterName), strings.Repeat("▰", full),
		strings.Repeat("▱", meterCells-full), m.Words)
	style := d.Theme.Dim
	if m.Share >= 100 {
		style = d.Theme.Pending
	}
	return style.Render(frame.Fit(text, width))
}

// seats are the nodes in a line each: the name, the Pods by their versions, and the first resource.
func (d *drawing) seats(width int) (lines []string) {
	for i := range d.Nodes {
		n := &d.Nodes[i]
		parts := []string{d.head(n)}
		parts = append(parts, d.seated(n, 1<<10)...)
		for _, m := range n.Meters[:min(len(n.Meters), 1)] {
			parts = append(parts, d.Theme.Dim.Render(m.Resource+" "+m.Words))
		}
		lines = append(lines, d.ofNode(n, []string{frame.Fit(strings.Join(parts, "  "), width)})...)
	}
	return lines
}
