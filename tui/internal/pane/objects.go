package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Objects lists what is in the store at the cursor.
type Objects struct{}

// Title implements Pane.
func (Objects) Title(m Moment, t *theme.Theme) (name, detail string) {
	return "Objects", t.Dim.Render(fmt.Sprintf("  %d at this record", len(m.listed())))
}

// Select implements Lister.
func (Objects) Select(m Moment, by int) Moment { return m.selecting(m.listed(), by) }

// Click implements Clicker.
func (p Objects) Click(m Moment, c Canvas, line int) Moment {
	list := m.listed()
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

// listed are the objects in the store.
func (m Moment) listed() (list []trace.Object) {
	for _, o := range m.Beat().Objects() {
		list = append(list, o.Object)
	}
	return list
}

// Render implements Pane.
func (Objects) Render(m Moment, c Canvas) []string {
	all := m.Beat().Objects()
	if len(all) == 0 {
		return []string{"nothing yet"}
	}
	at := slices.IndexFunc(all, func(o scene.Object) bool { return o.Object == m.Selected })
	from, to := frame.Window(len(all), at, c.Height)
	var lines []string
	for i := range all[from:to] {
		lines = append(lines, c.object(&all[from+i], from+i == at))
	}
	return lines
}

func (c Canvas) object(o *scene.Object, selected bool) string {
	plain, _, _ := strings.Cut(o.Object.Resource, ".")
	name := o.Object.Name
	if o.Object.Namespace != "" && o.Object.Namespace != "default" {
		name += " -n " + o.Object.Namespace
	}
	text := frame.Fit(frame.Marked(selected)+frame.Middle(plain, 14), 17) + frame.Middle(name, max(c.Width-17, 8))
	if o.Changed {
		text = frame.Fit(text, c.Width-2) + " *"
	}
	if selected {
		text = c.Theme.Now.Render(frame.Fit(text, c.Width))
	}
	return text
}
