package columns

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// Select implements pane.Lister. It goes through the objects as they are drawn: an owner, what it owns, the next owner.
func (Stage) Select(m pane.Moment, by int) pane.Moment {
	d := &drawing{Moment: m, Stage: m.Cast().At(m.Beat())}
	order := d.order(-1, 0)
	if len(order) == 0 {
		return m
	}
	at := slices.IndexFunc(order, func(i int) bool { return d.Objects[i].Object == m.Selected })
	switch {
	case at < 0:
		at = 0
	default:
		at = min(max(at+by, 0), len(order)-1)
	}
	m.Selected = d.Objects[order[at]].Object
	return m
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
	if d.Selected == (trace.Object{}) {
		return ""
	}
	i := slices.IndexFunc(d.Objects, func(o stage.Object) bool { return o.Object == d.Selected })
	if i < 0 {
		return ""
	}
	o := &d.Objects[i]
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
	version := d.Rec.Versions(o.Object)[d.Rec.VersionAt(o.Object, d.Seq)]
	row := d.Rec.Row(version.Seq)
	parts = append(parts, row.Actor+" wrote it at "+trace.Seconds(row.At), ". , its writes")
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return d.Theme.Note.Render(frame.Fit("▸ "+strings.Join(parts, " · "), width))
}
