// Package facet has the panes of the selected object, of which each shows one side: its YAML, its last change, its owners, the Events
// about it, and its writes.
package facet

import (
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Side is one side of the selected object.
type Side struct {
	name string
	draw func(object) []string
}

// The sides: the object as the store has it, what the last write changed, its owners and what it owns, the Kubernetes Events about it,
// and its writes.
var (
	YAML       = &Side{"YAML", object.yaml}
	LastChange = &Side{"Last change", object.change}
	Owners     = &Side{"Owners", object.family}
	Events     = &Side{"Events", object.events}
	History    = &Side{"History", object.versions}
)

// All are the sides in the order in which tab shows them.
var All = []pane.Pane{YAML, LastChange, Owners, Events, History}

// Title implements Pane.
func (s *Side) Title(pane.Moment, *theme.Theme) (name, detail string) { return s.name, "" }

// Render implements Pane.
func (s *Side) Render(m pane.Moment, c pane.Canvas) []string { return s.draw(object{m, c}) }

// object is an object that is being drawn.
type object struct {
	pane.Moment
	pane.Canvas
}

// timeWidth is the width of the column of times.
const timeWidth = 9

func (p object) yaml() []string {
	o := p.Rec.Replay.ObjectAt(p.Selected, p.Seq)
	if o == nil {
		return []string{p.absent()}
	}
	data, err := yaml.Marshal(o)
	if err != nil {
		return []string{err.Error()}
	}
	return strings.Split(strings.TrimRight(string(data), "\n"), "\n")
}

// absent says that the selected object does not exist, or since when it does not.
func (p object) absent() string {
	at := p.Rec.VersionAt(p.Selected, p.Seq)
	if at < 0 {
		return "does not exist yet"
	}
	return "was deleted at " + trace.Seconds(p.Rec.At(p.Rec.Versions(p.Selected)[at].Seq))
}

// change tells what the last write at or before the cursor changed in the selected object.
func (p object) change() []string {
	at := p.Rec.VersionAt(p.Selected, p.Seq)
	if at < 0 {
		return []string{"not written yet"}
	}
	version := p.Rec.Versions(p.Selected)[at]
	record := p.Rec.Record(version.Seq)
	lines := []string{
		p.Theme.Title.Render(trace.Seconds(record.At)+"  "+record.Actor+" "+record.Request.Verb) +
			p.Theme.Dim.Render(fmt.Sprintf("  rv %d, record %d", version.RV, version.Seq)), "",
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		if w.Object != p.Selected || w.RV != version.RV {
			continue
		}
		switch w.Op {
		case trace.OpCreate:
			return append(lines, "created; see the YAML for the whole object")
		case trace.OpDelete:
			return append(lines, "removed")
		}
		for _, c := range w.Changes {
			lines = append(lines, frame.Fit(c.Path, p.Width))
			if c.Old != nil {
				lines = append(lines, p.Theme.Removed.Render(frame.Fit("- "+frame.OneLine(string(c.Old)), p.Width)))
			}
			if c.New != nil {
				lines = append(lines, p.Theme.Added.Render(frame.Fit("+ "+frame.OneLine(string(c.New)), p.Width)))
			}
		}
	}
	return lines
}

// family is the tree of owners around the selected object.
func (p object) family() []string {
	family := p.Beat().Family(p.Selected)
	if len(family) == 0 {
		return []string{p.absent()}
	}
	if len(family) == 1 {
		lines := []string{"no owner and no dependents"}
		if family[0].Note != "" {
			lines = append(lines, family[0].Note)
		}
		return lines
	}
	depths := make([]int, len(family))
	for i, kin := range family {
		depths[i] = kin.Depth
	}
	var lines []string
	outline := frame.Outline(depths)
	for i, kin := range family {
		plain, _, _ := strings.Cut(kin.Object.Resource, ".")
		note := kin.Note
		if kin.Owned > 0 {
			note = strings.TrimSuffix(fmt.Sprintf("owns %d · %s", kin.Owned, note), " · ")
		}
		text := frame.Ends(outline[i]+plain+"/"+kin.Object.Name, note, p.Width-2)
		line := frame.Marked(kin.Object == p.Selected) + text
		if kin.Object == p.Selected {
			line = p.Theme.Now.Render(line)
		}
		lines = append(lines, line)
	}
	return lines
}

// events are the Kubernetes Events about the selected object, the newest first.
func (p object) events() []string {
	var lines []string
	all := p.Rec.OfKind(trace.KindEvent)
	for seq := recording.Latest(all, p.Seq); seq != 0; seq = recording.Previous(all, seq) {
		record := p.Rec.Record(seq)
		if !p.Rec.Regards(record.Event, p.Selected) {
			continue
		}
		e := record.Event
		head := frame.Right(trace.Seconds(record.At), timeWidth) + "  " + e.Type + " " + e.Reason
		if e.Count > 1 {
			head += " x" + strconv.Itoa(e.Count)
		}
		if e.Type != "Normal" {
			head = p.Theme.Failed.Render(head)
		}
		lines = append(lines, head)
		for _, text := range frame.Wrap(e.Message, p.Width-11, 0) {
			lines = append(lines, "           "+text)
		}
	}
	if len(lines) == 0 {
		return []string{"no Events yet"}
	}
	return lines
}

// versions are the writes of the selected object, the newest first.
func (p object) versions() []string {
	all := p.Rec.Versions(p.Selected)
	var lines []string
	for i := p.Rec.VersionAt(p.Selected, p.Seq); i >= 0; i-- {
		row := p.Rec.Row(all[i].Seq)
		text := frame.Right(trace.Seconds(row.At), timeWidth) + "  " + row.Actor + " " + row.Verb
		if row.Detail != "" {
			text += ": " + row.Detail
		}
		lines = append(lines, frame.Ends(text, "rv "+strconv.FormatUint(all[i].RV, 10), p.Width))
	}
	if len(lines) == 0 {
		return []string{"not written yet"}
	}
	return lines
}
