package columns

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// detail is how many lines of what they decided programs have: those that the lesson is about, those that it is not about, and all in a
// lesson that is about none. Gaps says that there is a line between them.
type detail struct {
	focused, aside, plain int
	gaps                  bool
}

// details are tried one after the other until all programs have room.
var details = []detail{{4, 1, 2, true}, {4, 0, 2, true}, {3, 0, 1, true}, {2, 0, 1, false}, {1, 0, 0, false}, {}}

// programs are the cards of the programs below each other: first those with fewer lines, if there is no room for more.
func (d *drawing) programs(c pane.Canvas) (lines []string) {
	for _, of := range details {
		lines = nil
		for i := range d.Programs {
			decided := of.plain
			switch p := &d.Programs[i]; {
			case p.Focused:
				decided = of.focused
			case p.Aside:
				decided = of.aside
			}
			lines = append(lines, d.program(i, c.Width, decided)...)
			if of.gaps {
				lines = append(lines, "")
			}
		}
		if len(lines) <= c.Height {
			break
		}
	}
	return lines
}

// program is a card, in which each line stands for the program but that of a message.
func (d *drawing) program(i, width, decided int) []string {
	return d.marked(touch.Thing{Program: d.Programs[i].Name}, d.programCard(i, width, decided))
}

// programCard is a card: its name, its queue, its message, and in so many lines what it decided last.
func (d *drawing) programCard(i, width, decided int) []string {
	p := &d.Programs[i]
	style := d.Theme.Tone(p.Tone)
	pointer := ""
	if d.isProgram(p.Name) {
		pointer = "▸ "
	}
	if p.Focused {
		style = style.Bold(true)
	}
	head := style.Render(frame.Fit(pointer+p.Mark+" "+p.Name, width))
	if p.Acts {
		head = d.Theme.Now.Render(frame.Fit(pointer+"▶ "+p.Name, width))
	}
	lines := []string{head}
	if p.About != "" {
		lines = append(lines, style.Render(frame.Fit("  "+p.About, width)))
	}
	if chips := d.chips(p, width-2); chips != "" {
		lines = append(lines, "  "+chips)
	}
	for n := range d.Moves {
		if m := &d.Moves[n]; m.Program == i {
			lines = append(lines, "  "+d.wire(m, width-2, m.Way == scene.Event))
		}
	}
	if p.Cache != "" {
		lines = append(lines, d.Theme.Pending.Render(frame.Fit("  cache: "+p.Cache, width)))
	}
	text := p.Decided
	if text == "" {
		text = p.Last
	}
	if text == "" || decided == 0 {
		return lines
	}
	for _, line := range frame.Brief(text, width-2, decided) {
		lines = append(lines, d.Theme.Dim.Render("  "+line))
	}
	return lines
}

// chips are the keys of a queue: in brackets what is being synced, and with a mark what returns later.
func (d *drawing) chips(p *stage.Program, width int) string {
	var parts []string
	used := 0
	for _, chip := range p.Queue {
		text, tone := "["+chip.Key+"]", palette.Pending
		switch chip.State {
		case stage.InWork:
			tone = palette.Now
		case stage.Later, stage.Backoff, stage.Unschedulable:
			text, tone = "("+strings.TrimSpace(chip.Key+" "+chip.When)+")", palette.Dim
		}
		if chip.Retries > 0 {
			text += fmt.Sprintf("×%d", chip.Retries)
		}
		if used += frame.Width(text) + 1; used > width {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, d.Theme.Tone(tone).Render(text))
	}
	return strings.Join(parts, " ")
}

// heads are the ends of arrows.
var heads = map[scene.End]string{"": "▶", scene.Denied: "✗", scene.Refused: "✗", scene.Unanswered: "✗", scene.Held: "┤"}

// wire is a message as an arrow: it points to the left, or else to the right. While it travels, a dot says how far it is.
func (d *drawing) wire(m *stage.Move, width int, left bool) string {
	const shortest = 6
	label := m.Label
	if d.isMessage(m) {
		label = "▸ " + label
	}
	label = frame.Fit(label, min(frame.Width(label), max(width-shortest, 3)))
	line := []rune(strings.Repeat("─", max(width-frame.Width(label)-5, 1)))
	if d.Phase > 0 && d.Phase < pane.Phases && m.End != scene.Held {
		at := len(line) * d.Phase / pane.Phases
		if left {
			at = len(line) - at
		}
		line[min(at, len(line)-1)] = '●'
	}
	text := "─ " + label + " " + string(line) + heads[m.End]
	if left {
		text = "◀─ " + label + " " + string(line)
		if m.End == scene.Held {
			text = "├─ " + label + " " + string(line)
		}
	}
	return d.mark(touch.Thing{Message: m.Seq}, d.Theme.Tone(m.Tone).Render(frame.Fit(text, width)))
}

// acting is the line of whoever acts, with the message and what it is about.
func (d *drawing) acting(width int) []string {
	for n := range d.Moves {
		m := &d.Moves[n]
		name := m.Actor
		if m.Node != "" {
			name += " of " + m.Node
		}
		room := max(width-frame.Width(name)-2, 10)
		if d.isProgram(m.Actor) {
			name = "▸ " + name
			room -= 2
		}
		who := touch.Thing{Program: m.Actor}
		if m.Node != "" {
			who = touch.Thing{Object: stage.NodeObject(m.Node)}
		}
		return []string{d.mark(who, d.Theme.Now.Render(name)) + " " + d.wire(m, min(room, 30), m.Way == scene.Event), ""}
	}
	for i := range d.Programs {
		if p := &d.Programs[i]; p.Acts {
			return []string{d.mark(touch.Thing{Program: p.Name}, d.Theme.Now.Render(frame.Fit("▶ "+p.Name, width))), ""}
		}
	}
	return []string{"", ""}
}
