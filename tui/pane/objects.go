package pane

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Objects lists what is in the store at the cursor.
type Objects struct {
	base
	selected trace.Object
}

// NewObjects returns the pane.
func NewObjects(rec *recording.Recording, t *theme.Theme) *Objects {
	return &Objects{base: base{rec: rec, theme: t}}
}

// Select marks an object.
func (p *Objects) Select(o trace.Object) { p.selected = o }

// hidden are resources that tell about others.
var hidden = map[string]bool{"events": true, "events.events.k8s.io": true, "leases.coordination.k8s.io": true}

// List is the objects that exist at the cursor.
func (p *Objects) List() []trace.Object {
	return p.rec.ObjectsAt(p.cursor)
}

// Order sorts objects as they are listed.
func Order(objects []trace.Object) []trace.Object {
	rank := func(o trace.Object) int { return kinds.BuiltIn().Rank(schema.ParseGroupResource(o.Resource)) }
	objects = slices.DeleteFunc(slices.Clone(objects), func(o trace.Object) bool { return hidden[o.Resource] })
	slices.SortStableFunc(objects, func(a, b trace.Object) int { return rank(a) - rank(b) })
	return objects
}

// Render draws the list.
func (p *Objects) Render(objects []trace.Object) []string {
	title := p.theme.Title.Render("Objects") + p.theme.Dim.Render(fmt.Sprintf("  %d at this record", len(objects)))
	width, height := p.width-4, p.height-2
	at := max(slices.Index(objects, p.selected), 0)
	from := min(max(at-height/2, 0), max(len(objects)-height, 0))
	var lines []string
	for i := from; i < min(from+height, len(objects)); i++ {
		o := objects[i]
		mark := "  "
		if o == p.selected {
			mark = "▸ "
		}
		plain, _, _ := strings.Cut(o.Resource, ".")
		name := o.Name
		if o.Namespace != "" && o.Namespace != "default" {
			name += " -n " + o.Namespace
		}
		text := frame.Fit(mark+frame.Middle(plain, 14), 17) + frame.Middle(name, max(width-17, 8))
		if p.changed(o) {
			text = frame.Fit(text, width-2) + " *"
		}
		if o == p.selected {
			text = p.theme.Now.Render(frame.Fit(text, width))
		}
		lines = append(lines, text)
	}
	if len(objects) == 0 {
		lines = []string{"nothing yet"}
	}
	return frame.Box(title, lines, p.width, p.height, p.theme.Dim)
}

// changed says whether the record at the cursor wrote the object.
func (p *Objects) changed(o trace.Object) bool {
	record := p.rec.Record(p.cursor)
	if record == nil || record.Request == nil {
		return false
	}
	return slices.ContainsFunc(record.Request.Writes, func(w trace.Write) bool { return w.Object == o })
}

// Facets are the ways in which an object is shown.
var Facets = []string{"YAML", "Last change", "Owners", "Events", "History"}

// Object draws one facet of the selected object, from a line on.
func (p *Objects) Object(facet, scroll int) []string {
	var title []string
	for i, name := range Facets {
		if i == facet {
			title = append(title, p.theme.Title.Render("["+name+"]"))
		} else {
			title = append(title, p.theme.Dim.Render(name))
		}
	}
	width, height := p.width-4, p.height-2
	var lines []string
	switch facet {
	case 0:
		lines = p.yaml()
	case 1:
		lines = p.change(width)
	case 2:
		lines = p.family(width)
	case 3:
		lines = p.events(width)
	case 4:
		lines = p.versions(width)
	}
	from := min(scroll, max(len(lines)-height, 0))
	lines = lines[from:]
	if more := len(lines) - height; more > 0 && height > 1 {
		lines = append(lines[:height-1:height-1], p.theme.Dim.Render(fmt.Sprintf("… %d more lines: pgdn", more+1)))
	}
	return frame.Box(strings.Join(title, " "), lines, p.width, p.height, p.theme.Dim)
}

func (p *Objects) text(seq int64) []string {
	object := p.rec.Replay.ObjectAt(p.selected, seq)
	if object == nil {
		return nil
	}
	data, err := yaml.Marshal(object)
	if err != nil {
		return []string{err.Error()}
	}
	return strings.Split(strings.TrimRight(string(data), "\n"), "\n")
}

func (p *Objects) yaml() []string {
	if lines := p.text(p.cursor); lines != nil {
		return lines
	}
	return []string{"it does not exist at this record"}
}
