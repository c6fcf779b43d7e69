// Package pane holds the parts of the screen. A pane is a plain struct: it is given a size and a place in
// the recording, and renders lines of exactly that size. It keeps no state of the run and changes nothing.
package pane

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/theme"
)

// base is what all panes have.
type base struct {
	rec    *recording.Recording
	theme  *theme.Theme
	width  int
	height int
	cursor int64
}

// SetSize sets the size of what Render returns.
func (b *base) SetSize(width, height int) { b.width, b.height = width, height }

// Height is how many lines Render returns.
func (b *base) Height() int { return b.height }

// SetCursor sets the record that the reader looks at.
func (b *base) SetCursor(seq int64) { b.cursor = seq }

// glyph is how a Pod's phase is drawn, in words and in one cell.
type glyph struct {
	mark, word string
	style      func(*theme.Theme) lipgloss.Style
}

var glyphs = map[recording.Phase]glyph{
	recording.Absent:      {" ", "none", func(t *theme.Theme) lipgloss.Style { return t.Dim }},
	recording.Pending:     {"·", "Pending", func(t *theme.Theme) lipgloss.Style { return t.Pending }},
	recording.Running:     {"◔", "running, not ready", func(t *theme.Theme) lipgloss.Style { return t.Pending }},
	recording.Ready:       {"◑", "ready, not yet available", func(t *theme.Theme) lipgloss.Style { return t.Pending }},
	recording.Available:   {"●", "available", func(t *theme.Theme) lipgloss.Style { return t.Ready }},
	recording.Terminating: {"✕", "terminating", func(t *theme.Theme) lipgloss.Style { return t.Terminating }},
	recording.Failed:      {"!", "failed", func(t *theme.Theme) lipgloss.Style { return t.Failed }},
	recording.Succeeded:   {"✓", "succeeded", func(t *theme.Theme) lipgloss.Style { return t.Ready }},
}

func (b *base) glyph(p recording.Phase) string {
	g := glyphs[p]
	return g.style(b.theme).Render(g.mark)
}

// section is a part of a pane that may be left out when there is no room.
type section struct {
	// keep is how long it stays: the section with the lowest goes first.
	keep  int
	lines []string
}

// fitSections leaves out sections until the others fit.
func fitSections(sections []section, height int) []string {
	for {
		total, lowest := 0, 0
		for i, s := range sections {
			total += len(s.lines)
			if s.keep < sections[lowest].keep {
				lowest = i
			}
		}
		if total <= height || len(sections) == 1 {
			break
		}
		sections = append(append([]section{}, sections[:lowest]...), sections[lowest+1:]...)
	}
	var lines []string
	for _, s := range sections {
		lines = append(lines, s.lines...)
	}
	return lines
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
