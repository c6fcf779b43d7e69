// Package palette is the table of colors. A row is a Tone, which says what a color means, with the color on light and on dark
// backgrounds. The terminal takes a row by its number, and pages, films and screenshots take the same color as RGB.
//
//	terminal           tui/internal/theme, by Of and the numbers of a row
//	pages, playground  tokens.css, which has a variable for each row: var(--ready)
//	films              scenarios/web/picture, by CSS
//	screenshots        tui/internal/svg, by RGB
//
// A color never carries a meaning alone: beside it stand a glyph and a word.
//
// To change a color, edit its row. To add a palette, add it to Names and palettes: flags and references then name it, and tests measure its
// contrast. Then run
//
//	make golden PKG="./scenarios/reading/palette ./tui/... ./docs"
package palette

import (
	"fmt"
	"regexp"
	"strings"
)

// Tone is what a color means.
type Tone string

// The tones.
const (
	// Ready is good and done, Pending on its way, Failed wrong, Terminating on its way out.
	Ready       Tone = "ready"
	Pending     Tone = "pending"
	Failed      Tone = "failed"
	Terminating Tone = "terminating"
	// Fault was made to happen. Now is where the reader is. Dim is what can be overlooked, and Note the scenario's own voice.
	Fault Tone = "fault"
	Now   Tone = "now"
	Dim   Tone = "dim"
	Note  Tone = "note"
	// First, Second and Third tell the versions of a workload apart: the ReplicaSets of a Deployment, with their Pods.
	First  Tone = "first"
	Second Tone = "second"
	Third  Tone = "third"
)

// Tones are all tones.
var Tones = []Tone{Ready, Pending, Failed, Terminating, Fault, Now, Dim, Note, First, Second, Third}

// Versions are the tones of versions, from the first one on.
var Versions = []Tone{First, Second, Third}

// OfVersion is the tone of a version, of which the first one is 1; the fourth one has that of the first. What has no version, 0, has none.
func OfVersion(version int) Tone {
	if version == 0 {
		return ""
	}
	return Versions[(version-1)%len(Versions)]
}

// Color is a color on a light and on a dark background: two of the 256 colors of a terminal, from 16 on. Those below differ between
// terminals.
type Color struct{ Light, Dark int }

// Palette is a color for each tone. Each has a contrast of at least 4.5:1 to its background (WCAG 2.2, AA), also where that is not
// quite white or black.
type Palette map[Tone]Color

// Names are the palettes that Of knows.
var Names = []string{"default", "color-blind"}

var palettes = map[string]Palette{
	"default": {
		Ready: {22, 78}, Pending: {94, 221}, Failed: {160, 203}, Terminating: {90, 140}, Fault: {161, 205}, Now: {25, 81}, Dim: {241, 246},
		Note: {24, 117}, First: {55, 141}, Second: {23, 80}, Third: {89, 175},
	},
	// Blue, orange and lightness stay apart for readers who do not tell red from green.
	"color-blind": {
		Ready: {25, 75}, Pending: {94, 229}, Failed: {88, 208}, Terminating: {240, 250}, Fault: {88, 214}, Now: {16, 231}, Dim: {241, 246},
		Note: {25, 117}, First: {55, 147}, Second: {94, 222}, Third: {240, 250},
	},
}

// Of is a palette by its name. The error says which there are.
func Of(name string) (Palette, error) {
	if p, ok := palettes[name]; ok {
		return p, nil
	}
	return nil, fmt.Errorf("unknown palette %q (one of: %s)", name, strings.Join(Names, ", "))
}

// Surface is what stands behind the tones, or beside them: as RGB, on light and on dark backgrounds.
type Surface struct{ Name, Light, Dark string }

// Surfaces are those of pages, films and screenshots. A terminal has its own.
var Surfaces = []Surface{
	{"back", "#ffffff", "#10161c"},
	{"panel", "#f4f6f8", "#19222b"},
	{"line", "#c3ccd5", "#3a4855"},
	{"text", "#16202a", "#e8eef3"},
	{"track", "#e1e7ed", "#2a3641"},
}

// Named is the color of a surface.
func Named(name string, dark bool) string {
	for _, s := range Surfaces {
		switch {
		case s.Name != name:
		case dark:
			return s.Dark
		default:
			return s.Light
		}
	}
	return ""
}

// basic are the first 16 colors, as xterm has them.
var basic = []string{
	"#000000", "#cd0000", "#00cd00", "#cdcd00", "#1e90ff", "#cd00cd", "#00cdcd", "#e5e5e5",
	"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
}

// RGB is one of xterm's 256 colors as #rrggbb: 16 basic ones, a cube of 6 by 6 by 6, and 24 grays. It is empty for another number.
func RGB(color int) string {
	switch {
	case color < 0 || color > 255:
		return ""
	case color < 16:
		return basic[color]
	case color >= 232:
		gray := 8 + 10*(color-232)
		return fmt.Sprintf("#%02x%02x%02x", gray, gray, gray)
	}
	level := func(i int) int {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	color -= 16
	return fmt.Sprintf("#%02x%02x%02x", level(color/36), level(color/6%6), level(color%6))
}

// CSS are the variables of a style: those of a selector, such as :root, and how they differ where readers prefer a dark background.
// With switched, the attribute data-theme of the element is stronger than what they prefer.
func CSS(selector string, switched bool) string {
	var light, dark strings.Builder
	for _, s := range Surfaces {
		light.WriteString("  --" + s.Name + ": " + s.Light + ";\n")
		dark.WriteString("  --" + s.Name + ": " + s.Dark + ";\n")
	}
	for _, tone := range Tones {
		c := palettes["default"][tone]
		light.WriteString("  --" + string(tone) + ": " + RGB(c.Light) + ";\n")
		dark.WriteString("  --" + string(tone) + ": " + RGB(c.Dark) + ";\n")
	}
	unless := ""
	if switched {
		unless = `:not([data-theme="light"])`
	}
	text := selector + " {\n" + light.String() + "}\n" +
		"@media (prefers-color-scheme: dark) {\n" + selector + unless + " {\n" + dark.String() + "}\n}\n"
	if switched {
		text += selector + "[data-theme=\"dark\"] {\n" + dark.String() + "}\n"
	}
	return text
}

// asked is a property whose value is one of the colors of CSS.
var asked = regexp.MustCompile(`([a-z-]+):var\(--([a-z]+)\)`)

// Plain gives each property in rules its color for light backgrounds first, for programs that draw pictures and know no variables:
// fill:var(--line) becomes fill:#c3ccd5;fill:var(--line).
func Plain(rules string) string {
	return asked.ReplaceAllStringFunc(rules, func(declaration string) string {
		found := asked.FindStringSubmatch(declaration)
		color := Named(found[2], false)
		if color == "" {
			color = RGB(palettes["default"][Tone(found[2])].Light)
		}
		return found[1] + ":" + color + ";" + declaration
	})
}
