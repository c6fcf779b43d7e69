package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/tui/internal/opener"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// TestKeysThatArriveTogether types faster than the program reads: every key counts.
func TestKeysThatArriveTogether(t *testing.T) {
	rec, err := recordings.Open(t.Context(), picker.Entry{File: "rolling-update"}, opener.News{})
	if err != nil {
		t.Fatal(err)
	}
	colors, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	m := Show(Options{Theme: colors, Open: recordings}, rec)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 34})
	first := m.viewer.Seq
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("nnnp")})
	together := m.viewer.Seq
	m.viewer.move(first)
	for _, r := range "nnnp" {
		m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	if together != m.viewer.Seq || together == first {
		t.Errorf("from record %d: together to %d, one by one to %d", first, together, m.viewer.Seq)
	}
}

// panicking is an Opener that breaks.
type panicking struct{}

// Open implements Opener.
func (panicking) Open(context.Context, picker.Entry, opener.News) (*recording.Recording, error) {
	panic("boom")
}

// TestPanicWhileLoading holds that a panic beside the interface is an error like another.
func TestPanicWhileLoading(t *testing.T) {
	colors, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	m := New(Options{Theme: colors, Open: panicking{}, Library: []picker.Entry{{Name: "a", Title: "A"}}})
	_, cmd := m.Update(tea.KeyMsg{Type: tea.KeyEnter})
	for cmd != nil {
		_, cmd = m.Update(cmd())
	}
	if m.screen != screenPicker || m.Err() == nil || !strings.Contains(m.Err().Error(), "boom") {
		t.Errorf("screen %v, error %v", m.screen, m.Err())
	}
}
