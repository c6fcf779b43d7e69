package columns

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// Select implements pane.Lister. It goes through the objects as they are drawn: an owner, what it owns, the next owner, and then the nodes.
func (Stage) Select(m pane.Moment, by int) pane.Moment {
	list := listed(m)
	if len(list) == 0 {
		return m
	}
	at := slices.Index(list, m.Selected)
	if at < 0 {
		at, by = 0, 0
	}
	m.Selected = list[min(max(at+by, 0), len(list)-1)]
	return m
}

// Touch implements pane.Toucher.
func (Stage) Touch(m pane.Moment) (o trace.Object, ok bool) {
	return m.Selected, slices.Contains(listed(m), m.Selected)
}

// listed are the objects and the nodes of the stage, in their order.
func listed(m pane.Moment) (list []trace.Object) {
	d := &drawing{Moment: m, Stage: m.Cast().At(m.Beat())}
	for _, i := range d.order(-1, 0) {
		list = append(list, d.Objects[i].Object)
	}
	for i := range d.Nodes {
		list = append(list, stage.NodeObject(d.Nodes[i].Name))
	}
	return list
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
func (d *drawing) selected(i int) bool { return d.Objects[i].Object == d.Selected }

// chosen says what the selected object is, and who wrote it last; empty if it does not exist.
func (d *drawing) chosen(width int) string {
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
	parts = append(parts, row.Actor+" wrote it at "+trace.Seconds(row.At), "enter what if, . , its writes")
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return d.Theme.Note.Render(frame.Fit("▸ "+strings.Join(parts, " · "), width))
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
