package pane

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Objects lists what is in the store at the cursor.
type Objects struct{}

// Title implements Pane.
func (Objects) Title(m Moment, t *theme.Theme) (name, detail string) {
	return "Objects", t.Dim.Render(fmt.Sprintf("  %d at this record", len(m.objects())))
}

// Select implements Lister.
func (Objects) Select(m Moment, by int) Moment { return m.selecting(m.objects(), by) }

// Click implements Clicker.
func (p Objects) Click(m Moment, c Canvas, line int) Moment {
	list := m.objects()
	if from, to := frame.Window(len(list), slices.Index(list, m.Selected), c.Height); from+line < to {
		m.Selected, m.Scroll = list[from+line], 0
	}
	return m
}

// Open implements Opener: what the record at the cursor is about is selected.
func (Objects) Open(m Moment) Moment {
	if o, ok := m.Rec.ObjectOf(m.Seq); ok {
		m.Selected = o
	}
	return m
}

// objects are those in the store, as they are listed.
func (m Moment) objects() []trace.Object { return Order(m.Rec.ObjectsAt(m.Seq)) }

// hidden are resources that tell about others.
var hidden = map[string]bool{"events": true, "events.events.k8s.io": true, "leases.coordination.k8s.io": true}

// definitions are listed behind all others.
const definitions = "customresourcedefinitions.apiextensions.k8s.io"

// Order sorts objects as they are listed: custom resources first, since they own workloads rather than belong to one.
func Order(objects []trace.Object) []trace.Object {
	rank := func(o trace.Object) int {
		resource := schema.ParseGroupResource(o.Resource)
		if kinds.BuiltIn().Of(resource) == nil && o.Resource != definitions {
			return -1
		}
		return kinds.BuiltIn().Rank(resource)
	}
	objects = slices.DeleteFunc(slices.Clone(objects), func(o trace.Object) bool { return hidden[o.Resource] })
	slices.SortStableFunc(objects, func(a, b trace.Object) int { return rank(a) - rank(b) })
	return objects
}

// Render implements Pane.
func (Objects) Render(m Moment, c Canvas) []string {
	p := objects{m, c}
	list := m.objects()
	if len(list) == 0 {
		return []string{"nothing yet"}
	}
	from, to := frame.Window(len(list), slices.Index(list, m.Selected), c.Height)
	var lines []string
	for _, o := range list[from:to] {
		lines = append(lines, p.line(o))
	}
	return lines
}

// objects is a list that is being drawn.
type objects drawing

func (p objects) line(o trace.Object) string {
	plain, _, _ := strings.Cut(o.Resource, ".")
	name := o.Name
	if o.Namespace != "" && o.Namespace != "default" {
		name += " -n " + o.Namespace
	}
	text := frame.Fit(frame.Marked(o == p.Selected)+frame.Middle(plain, 14), 17) + frame.Middle(name, max(p.Width-17, 8))
	if p.changed(o) {
		text = frame.Fit(text, p.Width-2) + " *"
	}
	if o == p.Selected {
		text = p.Theme.Now.Render(frame.Fit(text, p.Width))
	}
	return text
}

// changed reports whether the record at the cursor wrote the object.
func (p objects) changed(o trace.Object) bool {
	record := p.Rec.Record(p.Seq)
	if record == nil || record.Request == nil {
		return false
	}
	return slices.ContainsFunc(record.Request.Writes, func(w trace.Write) bool { return w.Object == o })
}
