package theme

import (
	"math"
	"strconv"
	"testing"

	"github.com/charmbracelet/lipgloss"
)

// rgb is a color from 16 on of the 256 colors of a terminal: a cube of 6 x 6 x 6, and 24 grays.
func rgb(t *testing.T, color string) [3]float64 {
	t.Helper()
	n, err := strconv.Atoi(color)
	if err != nil || n < 16 || n > 255 {
		t.Fatalf("the color %s differs between terminals", color)
	}
	if n >= 232 {
		gray := float64(8 + 10*(n-232))
		return [3]float64{gray, gray, gray}
	}
	levels := []float64{0, 95, 135, 175, 215, 255}
	n -= 16
	return [3]float64{levels[n/36], levels[n/6%6], levels[n%6]}
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

// TestContrast holds that every color of every palette can be read on white and on black, and on backgrounds that are not quite so.
func TestContrast(t *testing.T) {
	const least = 4.5
	light := [][3]float64{{255, 255, 255}, {245, 245, 245}}
	dark := [][3]float64{{0, 0, 0}, {30, 30, 30}}
	for _, name := range Palettes {
		c := palettes[name]
		for use, color := range map[string]lipgloss.AdaptiveColor{
			"ready": c.ready, "pending": c.pending, "failed": c.failed, "terminating": c.terminating, "fault": c.fault, "now": c.now,
			"dim": c.dim, "note": c.note,
		} {
			for _, background := range light {
				if got := contrast(rgb(t, color.Light), background); got < least {
					t.Errorf("%s: %s %s on %v has a contrast of %.2f, less than %.1f", name, use, color.Light, background, got, least)
				}
			}
			for _, background := range dark {
				if got := contrast(rgb(t, color.Dark), background); got < least {
					t.Errorf("%s: %s %s on %v has a contrast of %.2f, less than %.1f", name, use, color.Dark, background, got, least)
				}
			}
		}
	}
	if got := contrast(rgb(t, "243"), dark[1]); got > 3.7 {
		t.Errorf("the contrast of a gray that is hard to read is computed as %.2f", got)
	}
}
