package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/tui/recording"
	"github.com/kubestep/kubestep/tui/theme"
)

// TestKeysThatArriveTogether types faster than the program reads: every key counts.
func TestKeysThatArriveTogether(t *testing.T) {
	rec, err := opener.Open(t.Context(), Entry{File: "rolling-update"}, func(recording.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	colors, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	m := Show(Options{Theme: colors, Open: opener}, rec)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 34})
	first := m.viewer.cursor
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("nnnp")})
	together := m.viewer.cursor
	m.viewer.move(first)
	for _, r := range "nnnp" {
		m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	if together != m.viewer.cursor || together == first {
		t.Errorf("from record %d: together to %d, one by one to %d", first, together, m.viewer.cursor)
	}
}
