package tui

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/tui/internal/opener"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// TestColoursOnlyHelp draws the same screens in every palette and without any: what is written is the same, so that
// nobody needs to see the colors.
func TestColoursOnlyHelp(t *testing.T) {
	rec, err := recordings.Open(t.Context(), picker.Entry{File: "rolling-update"}, opener.News{})
	if err != nil {
		t.Fatal(err)
	}
	// A test has no terminal, and so no colors, as with NO_COLOR.
	plain, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	draw := func(colors *theme.Theme, key string) string {
		m := Show(Options{Theme: colors, Open: recordings, At: "7.514s"}, rec)
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 34})
		for _, msg := range typed(key) {
			m.Update(msg)
		}
		return m.View()
	}
	for _, key := range []string{"1", "m", "2", "3", "4", "5", "P", "?"} {
		want := draw(plain, key)
		if want != ansi.Strip(want) {
			t.Fatalf("key %s: the plain screen has colours", key)
		}
		for _, palette := range palette.Names {
			for _, dark := range []bool{true, false} {
				colors, err := theme.ForPicture(palette, dark)
				if err != nil {
					t.Fatal(err)
				}
				got := draw(colors, key)
				if got == want {
					t.Errorf("key %s, %s, dark %v: no colours at all", key, palette, dark)
				}
				if ansi.Strip(got) != want {
					t.Errorf("key %s, %s, dark %v: the colours change the text", key, palette, dark)
				}
			}
		}
	}
}
