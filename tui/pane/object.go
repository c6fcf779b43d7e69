package pane

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
)

// change tells what the last write at or before the cursor changed in the selected object.
func (p *Objects) change(width int) []string {
	at := p.rec.VersionAt(p.selected, p.cursor)
	if at < 0 {
		return []string{"it was not written yet"}
	}
	version := p.rec.Versions(p.selected)[at]
	record := p.rec.Record(version.Seq)
	lines := []string{
		p.theme.Title.Render(trace.Seconds(record.At)+"  "+record.Actor+" "+record.Request.Verb) +
			p.theme.Dim.Render(fmt.Sprintf("  rv %d, record %d", version.RV, version.Seq)), "",
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		if w.Object != p.selected || w.RV != version.RV {
			continue
		}
		switch w.Op {
		case trace.OpCreate:
			return append(lines, "created; the YAML shows the whole object")
		case trace.OpDelete:
			return append(lines, "removed")
		}
		for _, c := range w.Changes {
			lines = append(lines, frame.Fit(c.Path, width))
			if c.Old != nil {
				lines = append(lines, p.theme.Removed.Render(frame.Fit("- "+oneLine(string(c.Old)), width)))
			}
			if c.New != nil {
				lines = append(lines, p.theme.Added.Render(frame.Fit("+ "+oneLine(string(c.New)), width)))
			}
		}
	}
	return lines
}

// family is the tree of owners around the selected object.
func (p *Objects) family(width int) []string {
	family := p.rec.Family(p.selected, p.cursor)
	if len(family) == 0 {
		return []string{"it does not exist at this record"}
	}
	if len(family) == 1 {
		lines := []string{"nothing owns it, and it owns nothing"}
		if family[0].Note != "" {
			lines = append(lines, family[0].Note)
		}
		return lines
	}
	var lines, open []string
	for i, kin := range family {
		plain, _, _ := strings.Cut(kin.Object.Resource, ".")
		branch := ""
		if kin.Depth > 0 {
			// open holds the lines that come down from owners with further children.
			open = open[:kin.Depth-1]
			branch = strings.Join(open, "") + "└─ "
			next := "   "
			if hasSibling(family[i:]) {
				branch, next = strings.Join(open, "")+"├─ ", "│  "
			}
			open = append(open, next)
		}
		note := kin.Note
		if kin.Owned > 0 {
			note = strings.TrimSuffix(fmt.Sprintf("owns %d · %s", kin.Owned, note), " · ")
		}
		text := frame.Ends(branch+plain+"/"+kin.Object.Name, note, width-2)
		if kin.Object == p.selected {
			lines = append(lines, p.theme.Now.Render("▸ "+text))
		} else {
			lines = append(lines, "  "+text)
		}
	}
	return lines
}

// hasSibling says whether another child of the first one's owner follows.
func hasSibling(rest []recording.Kin) bool {
	for _, kin := range rest[1:] {
		if kin.Depth <= rest[0].Depth {
			return kin.Depth == rest[0].Depth
		}
	}
	return false
}

// events are the Kubernetes Events about the selected object, the newest first.
func (p *Objects) events(width int) []string {
	var lines []string
	all := p.rec.OfKind(trace.KindEvent)
	for seq := recording.Latest(all, p.cursor); seq != 0; seq = recording.Previous(all, seq) {
		record := p.rec.Record(seq)
		if !p.rec.Regards(record.Event, p.selected) {
			continue
		}
		e := record.Event
		head := frame.Right(trace.Seconds(record.At), timeWidth) + "  " + e.Type + " " + e.Reason
		if e.Count > 1 {
			head += " x" + strconv.Itoa(e.Count)
		}
		if e.Type != "Normal" {
			head = p.theme.Failed.Render(head)
		}
		lines = append(lines, head)
		for _, text := range frame.Wrap(e.Message, width-11, 0) {
			lines = append(lines, "           "+text)
		}
	}
	if len(lines) == 0 {
		return []string{"no Events about it until now"}
	}
	return lines
}

// versions are the writes of the selected object, the newest first.
func (p *Objects) versions(width int) []string {
	all := p.rec.Versions(p.selected)
	var lines []string
	for i := p.rec.VersionAt(p.selected, p.cursor); i >= 0; i-- {
		row := p.rec.Row(all[i].Seq)
		text := frame.Right(trace.Seconds(row.At), timeWidth) + "  " + row.Actor + " " + row.Verb
		if row.Detail != "" {
			text += ": " + row.Detail
		}
		lines = append(lines, frame.Ends(text, "rv "+strconv.FormatUint(all[i].RV, 10), width))
	}
	if len(lines) == 0 {
		return []string{"it was not written yet"}
	}
	return lines
}
