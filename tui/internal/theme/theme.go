// Package theme names the styles of the interface by what they mean. A color never carries a meaning alone: beside it
// stand a glyph and a word, so that the screen says the same without colors. The colors are those of scenarios/reading/palette.
package theme

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
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
	tones    map[palette.Tone]lipgloss.Style
}

// SwitchBackground takes the colors for dark backgrounds instead of those for light ones, or the other way round.
func (t *Theme) SwitchBackground() { t.renderer.SetHasDarkBackground(!t.renderer.HasDarkBackground()) }

// Backgrounds say what stands behind the text.
var Backgrounds = []string{"auto", "light", "dark"}

// manyColors is termenv's ANSI256: a palette of 256 colors.
const manyColors = 1

// New returns the theme of a palette, one of palette.Names, for the terminal, on one of the Backgrounds. The terminal itself is not
// asked: one that does not answer would make everybody wait. auto is what the variable COLORFGBG says, which some terminals set, and
// else dark.
func New(name, background string) (*Theme, error) {
	renderer := lipgloss.DefaultRenderer()
	switch background {
	case "light", "dark":
		renderer.SetHasDarkBackground(background == "dark")
	case "auto":
	default:
		return nil, fmt.Errorf("unknown background %q (one of: %s)", background, strings.Join(Backgrounds, ", "))
	}
	return of(renderer, name)
}

// ForPicture returns the theme of a palette with all its colors, whatever the terminal can show.
func ForPicture(name string, dark bool) (*Theme, error) {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(manyColors)
	renderer.SetHasDarkBackground(dark)
	return of(renderer, name)
}

func of(renderer *lipgloss.Renderer, name string) (*Theme, error) {
	colors, err := palette.Of(name)
	if err != nil {
		return nil, err
	}
	t := &Theme{Title: renderer.NewStyle().Bold(true), renderer: renderer, tones: map[palette.Tone]lipgloss.Style{}}
	for tone, c := range colors {
		color := lipgloss.AdaptiveColor{Light: strconv.Itoa(c.Light), Dark: strconv.Itoa(c.Dark)}
		t.tones[tone] = renderer.NewStyle().Foreground(color).Bold(slices.Contains(bold, tone))
	}
	t.Ready, t.Pending, t.Failed = t.Tone(palette.Ready), t.Tone(palette.Pending), t.Tone(palette.Failed)
	t.Terminating, t.Fault, t.Now = t.Tone(palette.Terminating), t.Tone(palette.Fault), t.Tone(palette.Now)
	t.Dim, t.Note = t.Tone(palette.Dim), t.Tone(palette.Note)
	t.Key, t.Added, t.Removed = t.Now.Bold(false), t.Ready, t.Failed.Bold(false)
	return t, nil
}

// bold are the tones that are bold as well.
var bold = []palette.Tone{palette.Failed, palette.Fault, palette.Now}

// Tone is the style of a tone; that of no tone is plain.
func (t *Theme) Tone(tone palette.Tone) lipgloss.Style {
	if style, ok := t.tones[tone]; ok {
		return style
	}
	return t.renderer.NewStyle()
}
