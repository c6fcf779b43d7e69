package pane

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Loop shows one sync of a controller: what triggered it, how its key stood in the queue, what it read
// from its caches, what it decided and wrote, and whether it comes back.
type Loop struct{}

// Title implements Pane.
func (Loop) Title(m Moment, t *theme.Theme) (name, detail string) {
	if sync := m.Rec.SyncAt(m.Seq); sync != nil {
		return "Loop: " + sync.Actor, t.Dim.Render(fmt.Sprintf("  sync %d of %d, s S others", sync.Number, sync.Of))
	}
	return "Loop", ""
}

// Render implements Pane.
func (Loop) Render(m Moment, c Canvas) []string {
	l := m.Beat().Loop()
	if l.Hidden != "" {
		return []string{"", l.Hidden + " s goes to the first one."}
	}
	lines := []string{c.pipeline(l.Stages), ""}
	for i := range l.Stages {
		lines = append(lines, c.stage(&l.Stages[i])...)
	}
	return lines
}

// pipeline draws the stages in a row; those that are over are bright, the current one is marked.
func (c Canvas) pipeline(stages []scene.Stage) string {
	arrow := " ─▶ "
	if c.Width < 60 {
		arrow = " ▶ "
	}
	var parts []string
	for i := range stages {
		name := stages[i].Name
		if stages[i].Tone == palette.Now {
			name = "[" + name + "]"
		}
		parts = append(parts, c.Theme.Tone(stages[i].Tone).Render(name))
	}
	return strings.Join(parts, c.Theme.Dim.Render(arrow))
}

const stageLabel = 9

// stage writes what belongs to a stage behind its name, and an empty line below it.
func (c Canvas) stage(s *scene.Stage) (lines []string) {
	lines = s.Decision(c.Width - stageLabel)
	if len(lines) == 0 {
		for _, line := range s.Lines {
			for _, text := range frame.Wrap(line.Text, c.Width-stageLabel, 2) {
				lines = append(lines, c.Theme.Tone(line.Tone).Render(text))
			}
		}
	}
	name := s.Name
	for i := range lines {
		lines[i] = c.Theme.Title.Render(frame.Fit(name, stageLabel)) + lines[i]
		name = ""
	}
	return append(lines, "")
}
