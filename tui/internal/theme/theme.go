// Package theme names the styles of the interface by what they mean. A color never carries a meaning alone: beside it
// stand a glyph and a word, so that the screen says the same without colors.
package theme

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Theme is a set of styles.
type Theme struct {
	// Ready is good and done, Pending on its way, Failed wrong, Terminating on its way out.
	Ready, Pending, Failed, Terminating lipgloss.Style
	// Fault was made to happen. Now is where the reader is. Dim is what can be overlooked.
	Fault, Now, Dim lipgloss.Style
	// Title heads a panel, Key is a key that can be pressed, Note is the scenario's own voice.
	Title, Key, Note lipgloss.Style
	// Added and Removed mark the lines of a diff.
	Added, Removed lipgloss.Style

	renderer *lipgloss.Renderer
}

// SwitchBackground takes the colors for dark backgrounds instead of those for light ones, or the other way round.
func (t *Theme) SwitchBackground() { t.renderer.SetHasDarkBackground(!t.renderer.HasDarkBackground()) }

// Palettes are the names that New knows.
var Palettes = []string{"default", "color-blind"}

// colors are one palette: for light backgrounds, and for dark ones. All of them are numbers from 16 on, which are the same in every
// terminal, and each has a contrast of at least 4.5:1 to its background (WCAG 2.2, AA), also where that is not quite white or black.
type colors struct{ ready, pending, failed, terminating, fault, now, dim, note lipgloss.AdaptiveColor }

var palettes = map[string]colors{
	"default": {
		ready:       lipgloss.AdaptiveColor{Light: "22", Dark: "78"},
		pending:     lipgloss.AdaptiveColor{Light: "94", Dark: "221"},
		failed:      lipgloss.AdaptiveColor{Light: "160", Dark: "203"},
		terminating: lipgloss.AdaptiveColor{Light: "90", Dark: "140"},
		fault:       lipgloss.AdaptiveColor{Light: "161", Dark: "205"},
		now:         lipgloss.AdaptiveColor{Light: "25", Dark: "81"},
		dim:         lipgloss.AdaptiveColor{Light: "241", Dark: "246"},
		note:        lipgloss.AdaptiveColor{Light: "24", Dark: "117"},
	},
	// Blue, orange and lightness stay apart for readers who do not tell red from green.
	"color-blind": {
		ready:       lipgloss.AdaptiveColor{Light: "25", Dark: "75"},
		pending:     lipgloss.AdaptiveColor{Light: "94", Dark: "229"},
		failed:      lipgloss.AdaptiveColor{Light: "88", Dark: "208"},
		terminating: lipgloss.AdaptiveColor{Light: "240", Dark: "250"},
		fault:       lipgloss.AdaptiveColor{Light: "88", Dark: "214"},
		now:         lipgloss.AdaptiveColor{Light: "16", Dark: "231"},
		dim:         lipgloss.AdaptiveColor{Light: "241", Dark: "246"},
		note:        lipgloss.AdaptiveColor{Light: "25", Dark: "117"},
	},
}

// Backgrounds say what stands behind the text.
var Backgrounds = []string{"auto", "light", "dark"}

// manyColors is termenv's ANSI256: a palette of 256 colors.
const manyColors = 1

// New returns the theme of a palette for the terminal, on one of the Backgrounds. The terminal itself is not asked: one that does not
// answer would make everybody wait. auto is what the variable COLORFGBG says, which some terminals set, and else dark.
func New(palette, background string) (*Theme, error) {
	renderer := lipgloss.DefaultRenderer()
	switch background {
	case "light", "dark":
		renderer.SetHasDarkBackground(background == "dark")
	case "auto":
	default:
		return nil, fmt.Errorf("unknown background %q (one of: %s)", background, strings.Join(Backgrounds, ", "))
	}
	return of(renderer, palette)
}

// ForPicture returns the theme of a palette with all its colors, whatever the terminal can show.
func ForPicture(palette string, dark bool) (*Theme, error) {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(manyColors)
	renderer.SetHasDarkBackground(dark)
	return of(renderer, palette)
}

func of(renderer *lipgloss.Renderer, palette string) (*Theme, error) {
	c, ok := palettes[palette]
	if !ok {
		return nil, fmt.Errorf("unknown palette %q (one of: %s)", palette, strings.Join(Palettes, ", "))
	}
	style := func(color lipgloss.AdaptiveColor) lipgloss.Style { return renderer.NewStyle().Foreground(color) }
	return &Theme{
		Ready: style(c.ready), Pending: style(c.pending), Failed: style(c.failed).Bold(true),
		Terminating: style(c.terminating), Fault: style(c.fault).Bold(true), Now: style(c.now).Bold(true),
		Dim: style(c.dim), Title: renderer.NewStyle().Bold(true), Key: style(c.now), Note: style(c.note),
		Added: style(c.ready), Removed: style(c.failed), renderer: renderer,
	}, nil
}
