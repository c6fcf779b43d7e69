package columns

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// Select implements pane.Lister. It goes through things as they are drawn: programs, messages, then the objects, an owner, what it owns,
// the next owner, and then the nodes. It begins with the first object.
func (Stage) Select(m pane.Moment, by int) pane.Moment {
	list, first := listed(m)
	if len(list) == 0 {
		return m
	}
	at := slices.Index(list, pointed(m))
	if at < 0 {
		at, by = min(first, len(list)-1), 0
	}
	return selecting(m, list[min(max(at+by, 0), len(list)-1)])
}

// selecting is the moment in which a thing is selected.
func selecting(m pane.Moment, thing touch.Thing) pane.Moment {
	m.Program, m.Message = thing.Program, thing.Message
	if thing.Object != (trace.Object{}) {
		m.Selected = thing.Object
	}
	return m
}

// Point implements pane.Pointer: it selects the thing at a cell.
func (Stage) Point(m pane.Moment, c pane.Canvas, x, y int) (after pane.Moment, ok bool) {
	var things []touch.Thing
	d := &drawing{Moment: m, Canvas: c, Stage: m.Cast().At(m.Beat()), marks: &things}
	lines := d.lines()
	if y < 0 || y >= len(lines) {
		return m, false
	}
	i := frame.MarkAt(lines[y], x)
	list, _ := listed(m)
	if i < 0 || !slices.Contains(list, things[i]) {
		return m, false
	}
	return selecting(m, things[i]), true
}

// mark notes for Point that a text of a line stands for a thing.
func (d *drawing) mark(thing touch.Thing, text string) string {
	if d.marks == nil {
		return text
	}
	*d.marks = append(*d.marks, thing)
	return frame.Mark(len(*d.marks)-1, text)
}

// marked notes that all of some lines stand for a thing, but for the parts that stand for others.
func (d *drawing) marked(thing touch.Thing, lines []string) []string {
	if d.marks == nil {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = d.mark(thing, line)
	}
	return out
}

// Touch implements pane.Toucher.
func (Stage) Touch(m pane.Moment) (thing touch.Thing, ok bool) {
	list, _ := listed(m)
	return pointed(m), slices.Contains(list, pointed(m))
}

// pointed is what is selected.
func pointed(m pane.Moment) touch.Thing {
	switch {
	case m.Message != 0:
		return touch.Thing{Message: m.Message}
	case m.Program != "":
		return touch.Thing{Program: m.Program}
	}
	return touch.Thing{Object: m.Selected}
}

// listed are the things of the stage, in their order. first is the index of the first object.
func listed(m pane.Moment) (list []touch.Thing, first int) {
	d := &drawing{Moment: m, Stage: m.Cast().At(m.Beat())}
	for i := range d.Programs {
		list = append(list, touch.Thing{Program: d.Programs[i].Name})
	}
	for i := range d.Moves {
		list = append(list, touch.Thing{Message: d.Moves[i].Seq})
	}
	first = len(list)
	for _, i := range d.order(-1, 0) {
		list = append(list, touch.Thing{Object: d.Objects[i].Object})
	}
	for i := range d.Nodes {
		list = append(list, touch.Thing{Object: stage.NodeObject(d.Nodes[i].Name)})
	}
	return list, first
}

// order are the indexes of what an object owns, each with what it owns itself behind it: Pods first, as they are drawn.
func (d *drawing) order(owner, depth int) (list []int) {
	pods, others := d.split(d.owned(owner))
	if owner >= 0 {
		list = append(list, pods...)
	}
	for _, i := range others {
		list = append(list, i)
		if depth < deepest {
			list = append(list, d.order(i, depth+1)...)
		}
	}
	if owner < 0 {
		list = append(list, pods...)
	}
	return list
}

// selected reports whether an object is the one that the reader has selected.
func (d *drawing) selected(i int) bool { return pointed(d.Moment).Object == d.Objects[i].Object }

// isProgram and isMessage report whether a program, and a message, is what the reader has selected.
func (d *drawing) isProgram(name string) bool   { return d.Message == 0 && d.Program == name }
func (d *drawing) isMessage(m *stage.Move) bool { return d.Message == m.Seq }

// touches is the end of the line about what is selected.
const touches = "enter what if"

// chosen says what is selected, and of an object who wrote it last; empty if it does not exist.
func (d *drawing) chosen(width int) string {
	line := func(parts ...string) string {
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		return d.Theme.Note.Render(frame.Fit("▸ "+strings.Join(parts, " · "), width))
	}
	if d.Message != 0 {
		i := slices.IndexFunc(d.Moves, func(m stage.Move) bool { return m.Seq == d.Message })
		if i < 0 {
			return ""
		}
		return line("the message "+d.Moves[i].Label+" of "+d.Moves[i].Actor, touches)
	}
	if i := slices.IndexFunc(d.Programs, func(p stage.Program) bool { return p.Name == d.Program }); i >= 0 {
		p := &d.Programs[i]
		return line(p.Name, p.About, p.Cache, touches)
	}
	var parts []string
	if i := slices.IndexFunc(d.Objects, func(o stage.Object) bool { return o.Object == d.Selected }); i >= 0 {
		parts = about(&d.Objects[i])
	}
	if i := slices.IndexFunc(d.Nodes, func(n stage.Node) bool { return stage.NodeObject(n.Name) == d.Selected }); i >= 0 {
		n := &d.Nodes[i]
		parts = append([]string{"Node " + n.Name, n.State}, n.Taints...)
	}
	if parts == nil {
		return ""
	}
	row := d.Rec.Row(d.Rec.Versions(d.Selected)[d.Rec.VersionAt(d.Selected, d.Seq)].Seq)
	parts = append(parts, row.Actor+" wrote it at "+trace.Seconds(row.At), touches+", . , its writes")
	return line(parts...)
}

// about is what an object is like, in parts.
func about(o *stage.Object) []string {
	parts := []string{o.String()}
	if o.Name != o.Object.Name {
		parts = append(parts, o.Object.Name)
	}
	if o.IsPod() {
		parts = append(parts, o.Phase.Word())
	}
	parts = append(parts, o.Says)
	if o.Node != "" {
		parts = append(parts, "on "+o.Node)
	}
	return parts
}
