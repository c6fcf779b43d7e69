package palette

import (
	"math"
	"strconv"
	"testing"

	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// TestTokens compares the variables that pages take with the table.
func TestTokens(t *testing.T) {
	golden.Compare(t, "tokens.css", "/* Made from palette.go; make golden PKG=./scenarios/reading/palette */\n"+CSS(":root", true))
}

// rgb are the parts of a color.
func rgb(t *testing.T, color string) [3]float64 {
	t.Helper()
	n, err := strconv.ParseUint(color[1:], 16, 24)
	if err != nil {
		t.Fatal(err)
	}
	return [3]float64{float64(n >> 16), float64(n >> 8 & 0xff), float64(n & 0xff)}
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(rgb [3]float64) float64 {
	linear := func(v float64) float64 {
		if v /= 255; v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(rgb[0]) + 0.7152*linear(rgb[1]) + 0.0722*linear(rgb[2])
}

// contrast is the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b [3]float64) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast holds that every color of every palette can be read on white and on black, on backgrounds that are not quite so, and on
// those of pages.
func TestContrast(t *testing.T) {
	const least = 4.5
	light := [][3]float64{{255, 255, 255}, {245, 245, 245}, rgb(t, Named("back", false)), rgb(t, Named("panel", false))}
	dark := [][3]float64{{0, 0, 0}, {30, 30, 30}, rgb(t, Named("back", true)), rgb(t, Named("panel", true))}
	for _, name := range Names {
		for _, tone := range Tones {
			c := palettes[name][tone]
			if min(c.Light, c.Dark) < 16 {
				t.Errorf("%s: the color %v of %s differs between terminals", name, c, tone)
			}
			for color, backgrounds := range map[int][][3]float64{c.Light: light, c.Dark: dark} {
				for _, background := range backgrounds {
					if got := contrast(rgb(t, RGB(color)), background); got < least {
						t.Errorf("%s: %s %d on %v has a contrast of %.2f, less than %.1f", name, tone, color, background, got, least)
					}
				}
			}
		}
	}
	for _, on := range []bool{false, true} {
		if got := contrast(rgb(t, Named("text", on)), rgb(t, Named("panel", on))); got < least {
			t.Errorf("text on a panel has a contrast of %.2f", got)
		}
	}
	if got := contrast(rgb(t, RGB(243)), dark[1]); got > 3.7 {
		t.Errorf("the contrast of a gray that is hard to read is computed as %.2f", got)
	}
}

// TestRGB compares with xterm's palette.
func TestRGB(t *testing.T) {
	for color, want := range map[int]string{
		1: "#cd0000", 15: "#ffffff", 16: "#000000", 81: "#5fd7ff", 243: "#767676", 255: "#eeeeee", 256: "", -1: "",
	} {
		if got := RGB(color); got != want {
			t.Errorf("color %d is %q, want %q", color, got, want)
		}
	}
}
