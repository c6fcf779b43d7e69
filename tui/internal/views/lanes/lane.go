package lanes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/scenarios/reading/components"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// lane draws one component, whose decision may have more lines than others. Its number of lines is the same at every record.
func (p drawing) lane(s components.State, r room, more int) []string {
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
	lines := []string{name.Render(frame.Fit(s.Mark()+" "+frame.Middle(s.Name, p.name-3), p.name)) + p.message(s.Message, middle)}
	second := style.Render(frame.Fit("  "+state, p.name)) + p.Theme.Dim.Render(frame.Fit(detail, middle))
	switch {
	case s.Syncs:
		lines = append(lines, second, p.knows(s, style, whole))
		height := 1 + more
		if r >= roomy {
			height++
		}
		lines = append(lines, p.decision(s, style, whole, height)...)
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
func (p drawing) middle() int {
	if p.store == 0 {
		return p.Width - p.name
	}
	return p.Width - p.name - p.store - 1
}

// process says in words what its mark says, as far as it is not the usual.
func (p drawing) process(s components.State) (string, lipgloss.Style) {
	text, style := s.About(components.Relative(p.Now)), lipgloss.NewStyle()
	switch s.Process.State {
	case why.Dead, why.Paused, why.Standby:
		style = p.Theme.Dim
	}
	return text, style
}

// knows says what is in the queues of a controller, and how far its caches are behind the store.
func (p drawing) knows(s components.State, style lipgloss.Style, width int) string {
	times := components.Relative(p.Now)
	text := "queue: " + s.Queue(times)
	caches, behind := s.Cache(times)
	if !behind {
		return style.Render(frame.Fit("  "+text+" · cache: "+caches, width))
	}
	caches = frame.Fit("cache: "+caches, width-frame.Width(text)-5)
	return style.Render("  "+text+" · ") + p.Theme.Pending.Render(caches)
}

// decision is what the last sync of a controller decided, in so many lines. An open question hides it, but not that a process has
// crashed, which decides nothing.
func (p drawing) decision(s components.State, style lipgloss.Style, width, height int) []string {
	text := "no sync has ended yet"
	switch {
	case p.Question() != nil && s.Process.State == why.Dead:
		text = s.Process.Why + ": it decides nothing"
	case p.Question() != nil:
		text = "what it decides is the question"
	case s.Synced != "":
		text = s.Synced + ": " + s.Verdict
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
func (p drawing) nodes(width int) string {
	var parts []string
	for _, node := range p.Rec.NodesAt(p.Latest(), p.Now) {
		name, cells := node.Name, ""
		if name == "" {
			name = "no node yet"
		}
		slices.Sort(node.Pods)
		for _, phase := range node.Pods {
			cells += p.Glyph(phase)
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
