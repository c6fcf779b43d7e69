package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/scenarios/components"
	history "github.com/kubestep/kubestep/scenarios/why"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Components shows who talks to whom: a lane for each component, with its last request to the API server or its last watch event from
// it, and what a controller knows, has to do, and decided. The lanes have the same places at every record.
type Components struct{}

// Title implements Pane.
func (Components) Title(_ Moment, t *theme.Theme) (name, detail string) {
	return "Components", t.Dim.Render("  requests go to the API server, watch events come from it")
}

// Missing implements Conditional.
func (Components) Missing(m Moment) string {
	if m.Components == nil || len(m.Components.All) == 0 {
		return "this recording has no components"
	}
	return ""
}

// Render implements Pane.
func (Components) Render(m Moment, c Canvas) []string {
	p := lanes{drawing: drawing{m, c}}
	p.name, p.store = 24, 22
	if c.Width >= 100 {
		p.name, p.store = 27, 36
	}
	if c.Width < 70 {
		p.name, p.store = 18, 0
	}
	return p.lines()
}

// lanes are the components that are being drawn.
type lanes struct {
	drawing
	// name and store are the widths of the first and the last column; store is 0 if there is no room for it.
	name, store int
}

// lines are the lanes, with the API server at their right.
func (p lanes) lines() []string {
	shown := p.shown()
	states := p.Components.At(p.latest(), p.Now, shown)
	var lines []string
	for _, r := range []room{spacious, roomy, usual, brief} {
		lines = nil
		for _, s := range states {
			lines = append(lines, p.lane(s, r)...)
		}
		if len(lines) < p.Height {
			break
		}
	}
	return p.withServer(append(lines, p.others(shown)...))
}

// shown are as many components as there is room for.
func (p lanes) shown() []*components.Component {
	named, _ := p.inFocus()
	for most := len(p.Components.All); ; most-- {
		shown := p.Components.Foremost(most, named...)
		height := 0
		for _, o := range shown {
			height += briefHeight[o.Role]
		}
		if height < p.Height || most <= 1 {
			return shown
		}
	}
}

// briefHeight is the number of lines of a lane where there is little room.
var briefHeight = map[components.Role]int{
	components.Client: 1, components.Process: 1, components.Controller: 4,
	components.Scheduler: 1, components.Kubelet: 2, components.Other: 1,
}

// room is how much room there is. It depends on the size of the screen and the components, not on the record, so that no lane moves.
type room int

// With brief, components that are no controllers have one line. With roomy, decisions have two lines, and with spacious there is an
// empty line between lanes.
const (
	brief room = iota
	usual
	roomy
	spacious
)

// lane draws one component. Its number of lines is the same at every record.
func (p lanes) lane(s components.State, r room) []string {
	state, style := p.process(s)
	name := style
	if record := p.Rec.Record(p.Seq); record != nil && record.Actor != "" && s.Is(record.Actor) {
		name = p.Theme.Now
	}
	detail := ""
	if s.Message != nil && s.Message.Current {
		detail = s.Message.Detail
	}
	middle := p.middle()
	whole := p.name + middle - 1
	lines := []string{name.Render(frame.Fit(s.Mark()+" "+frame.Middle(s.Name, p.name-3), p.name)) + p.arrow(s.Message, middle)}
	second := style.Render(frame.Fit("  "+state, p.name)) + p.Theme.Dim.Render(frame.Fit(detail, middle))
	switch {
	case s.Role == components.Controller:
		lines = append(lines, second, p.knows(s, style, whole))
		lines = append(lines, p.decision(s, style, whole, r)...)
	case s.Role == components.Kubelet:
		lines = append(lines, p.nodes(whole))
	case r != brief:
		lines = append(lines, second)
	}
	if r == spacious {
		lines = append(lines, "")
	}
	return lines
}

// middle is the width of the messages.
func (p lanes) middle() int {
	if p.store == 0 {
		return p.Width - p.name
	}
	return p.Width - p.name - p.store - 1
}

// process says in words what its mark says, as far as it is not the usual.
func (p lanes) process(s components.State) (string, lipgloss.Style) {
	text, style := s.About(components.Relative(p.Now)), lipgloss.NewStyle()
	switch s.Process.State {
	case history.Dead, history.Paused, history.Standby:
		style = p.Theme.Dim
	}
	return text, style
}

// arrow draws a message: to the API server, or from it.
func (p lanes) arrow(m *components.Message, width int) string {
	if m == nil {
		return frame.Fit("", width)
	}
	style, line := p.Theme.Dim, "─"
	if m.Current {
		style, line = p.Theme.Now, "━"
	}
	start, end := line+" ", line+"▶"
	switch {
	case m.Watch:
		start, end = "◀"+line+" ", line
	case m.Refused:
		end, style = line+"✗", p.Theme.Failed
	case m.Held:
		end, style = line+"┤", p.Theme.Fault
	}
	text := frame.Middle(m.Text, max(width-frame.Width(start)-frame.Width(end)-3, 8))
	fill := max(width-1-frame.Width(start)-frame.Width(text)-1-frame.Width(end), 0)
	return style.Render(frame.Fit(start+text+" "+strings.Repeat(line, fill)+end, width))
}

// knows says what is in the queues of a controller, and how far its caches are behind the store.
func (p lanes) knows(s components.State, style lipgloss.Style, width int) string {
	times := components.Relative(p.Now)
	text := "queue: " + s.Queue(times)
	caches, behind := s.Cache(times)
	if !behind {
		return style.Render(frame.Fit("  "+text+" · cache: "+caches, width))
	}
	caches = frame.Fit("cache: "+caches, width-frame.Width(text)-5)
	return style.Render("  "+text+" · ") + p.Theme.Pending.Render(caches)
}

// decision is what the last sync of a controller decided. An open question hides it.
func (p lanes) decision(s components.State, style lipgloss.Style, width int, r room) []string {
	text := "no sync has ended yet"
	switch {
	case p.Question() != nil:
		text = "what it decides is the question"
	case s.Synced != "":
		text = s.Synced + ": " + s.Verdict
	}
	height := 1
	if r >= roomy {
		height = 2
	}
	lines := frame.Wrap(text, width-2, 0)
	if len(lines) > height {
		lines[height-1] = frame.Fit(strings.Join(lines[height-1:], " "), width-2)
	}
	lines = append(lines[:min(len(lines), height)], make([]string, max(height-len(lines), 0))...)
	for i := range lines {
		lines[i] = style.Render(frame.Fit("  "+lines[i], width))
	}
	return lines
}

// nodes draws the Pods of each node.
func (p lanes) nodes(width int) string {
	var parts []string
	for _, node := range p.Rec.NodesAt(p.latest(), p.Now) {
		name, cells := node.Name, ""
		if name == "" {
			name = "no node yet"
		}
		slices.Sort(node.Pods)
		for _, phase := range node.Pods {
			cells += p.glyph(phase)
		}
		if len(node.Pods) > mostCells {
			cells = fmt.Sprintf("%d Pods", len(node.Pods))
		}
		if cells == "" {
			cells = p.Theme.Dim.Render("-")
		}
		parts = append(parts, name+" "+cells)
	}
	return frame.Fit("  "+strings.Join(parts, "  "), width)
}

// mostCells is how many Pods of a node are drawn one by one.
const mostCells = 12

// others names the component of the record at the cursor if it has no lane.
func (p lanes) others(shown []*components.Component) []string {
	record := p.Rec.Record(p.Seq)
	if record == nil || record.Actor == "" {
		return nil
	}
	name, _ := trace.SplitActor(record.Actor)
	for _, o := range p.Components.All {
		if o.Name == name && !slices.Contains(shown, o) {
			s := p.Components.At(p.Seq, p.Now, []*components.Component{o})[0]
			return p.lane(s, brief)[:1]
		}
	}
	return nil
}

// withServer puts the API server and what it stored last at the right of the lanes.
func (p lanes) withServer(lines []string) []string {
	if p.store == 0 {
		return lines
	}
	server := append([]string{p.Theme.Title.Render("API server")}, p.stored(len(lines)-1)...)
	left := p.Width - p.store - 1
	for i := range lines {
		right := ""
		if i < len(server) {
			right = server[i]
		}
		lines[i] = frame.Fit(lines[i], left) + p.Theme.Dim.Render("┃") + frame.Fit(" "+right, p.store)
	}
	return lines
}

// stored are the last writes, the newest first.
func (p lanes) stored(most int) []string {
	var lines []string
	writes := p.Rec.Marks().Writes
	for seq := recording.Latest(writes, p.latest()); seq != 0 && len(lines) < most; seq = recording.Previous(writes, seq) {
		for _, w := range slices.Backward(p.Rec.Record(seq).Request.Writes) {
			text := fmt.Sprintf("rv %-4d %s", w.RV, components.Short(w.Object))
			if w.Op == trace.OpDelete {
				text += " deleted"
			}
			text = frame.Middle(text, p.store-2)
			if seq == p.Seq {
				text = p.Theme.Now.Render(text)
			} else {
				text = p.Theme.Dim.Render(text)
			}
			lines = append(lines, text)
		}
	}
	return lines[:min(len(lines), most)]
}
