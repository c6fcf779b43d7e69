package lanes

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// lane draws one component, whose decision may have more lines than others. Its number of lines is the same at every record.
func (p drawing) lane(s *scene.Program, r room, more int) []string {
	style := p.Theme.Tone(s.Tone)
	name := style
	if p.acts(s) {
		name = p.Theme.Now
	}
	middle := p.middle()
	whole := p.name + middle - 1
	lines := []string{name.Render(frame.Fit(s.Mark+" "+frame.Middle(s.Name, p.name-3), p.name)) + p.message(s.Message, middle)}
	second := style.Render(frame.Fit("  "+s.About, p.name)) + p.Theme.Dim.Render(frame.Fit(detail(s), middle))
	switch {
	case s.Syncs:
		lines = append(lines, second, p.knows(s, whole))
		height := 1 + more
		if r >= roomy {
			height++
		}
		lines = append(lines, p.decision(s, whole, height)...)
	case s.Role == scene.Kubelet:
		lines = append(append(lines, p.nodes(s, whole)), p.workers(s, whole, more)...)
	case r != brief:
		lines = append(lines, second)
	}
	if r == spacious {
		lines = append(lines, "")
	}
	return lines
}

// detail is that of a message which has just been sent or received.
func detail(s *scene.Program) string {
	if s.Message != nil && s.Message.Current {
		return s.Message.Detail
	}
	return ""
}

// middle is the width of the messages.
func (p drawing) middle() int {
	if p.store == 0 {
		return p.Width - p.name
	}
	return p.Width - p.name - p.store - 1
}

// knows says what is in the queues of a controller, and how far its caches are behind the store.
func (p drawing) knows(s *scene.Program, width int) string {
	text, caches, style := "queue: "+s.Queue, s.Cache, p.Theme.Tone(s.Tone)
	if !s.Stale {
		return style.Render(frame.Fit("  "+text+" · cache: "+caches, width))
	}
	caches = frame.Fit("cache: "+caches, width-frame.Width(text)-5)
	return style.Render("  "+text+" · ") + p.Theme.Pending.Render(caches)
}

// decision is what the last sync of a controller decided, in so many lines.
func (p drawing) decision(s *scene.Program, width, height int) []string {
	lines := frame.Brief(s.Decided, width-2, height)
	lines = append(lines, make([]string, max(height-len(lines), 0))...)
	for i := range lines {
		lines[i] = p.Theme.Tone(s.Tone).Render(frame.Fit("  "+lines[i], width))
	}
	return lines
}

// nodes draws the Pods of each node.
func (p drawing) nodes(s *scene.Program, width int) string {
	var parts []string
	for _, node := range s.Nodes {
		cells := ""
		for _, phase := range node.Pods {
			cells += p.Glyph(phase)
		}
		if len(node.Pods) > mostCells {
			cells = fmt.Sprintf("%d Pods", len(node.Pods))
		}
		if cells == "" {
			cells = p.Theme.Dim.Render("-")
		}
		parts = append(parts, strings.TrimSpace(node.Mark+" "+node.Name)+" "+cells)
	}
	return frame.Fit("  "+strings.Join(parts, "  "), width)
}

// workers draws what the workers of Pods do, in so many lines.
func (p drawing) workers(s *scene.Program, width, height int) []string {
	lines := make([]string, height)
	for i := range min(height, len(s.Workers)) {
		w, left := s.Workers[i], len(s.Workers)-i
		if i == height-1 && i > 0 && left > 1 {
			lines[i] = p.Theme.Dim.Render(frame.Fit(fmt.Sprintf("  and %d more Pods", left), width))
			break
		}
		name := w.Pod
		if len(s.Nodes) > 1 {
			name += " on " + w.Node
		}
		lines[i] = frame.Fit("  "+frame.Middle(name, p.name-2), p.name+1) + p.Theme.Tone(w.Tone).Render(frame.Fit(w.Does, width-p.name-1))
	}
	return lines
}

// mostCells is how many Pods of a node are drawn one by one.
const mostCells = 12
