package svg

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestRender holds that text keeps to its cells, colors are kept, and what joins is a shape.
func TestRender(t *testing.T) {
	picture := Render("\x1b[1;38;5;78mok\x1b[0m  a<b\n╭──╮\n██▄▄", Style{Width: 10, Dark: true})
	for _, want := range []string{
		`<text x="12" y="24.75" textLength="16" fill="#5fd787" font-weight="bold">ok</text>`,
		`<text x="44" y="24.75" textLength="24">a&lt;b</text>`,
		`<path d="M16 46Q16 37.5 20 37.5" fill="none" stroke="#e8eef3"/>`,
		`<rect x="20" y="37" width="16" height="1" fill="#e8eef3"/>`,
		`<rect x="12" y="46" width="16" height="17" fill="#e8eef3"/>`,
		`<rect x="28" y="54.5" width="16" height="8.5" fill="#e8eef3"/>`,
	} {
		if !strings.Contains(picture, want) {
			t.Errorf("no %s in\n%s", want, picture)
		}
	}
	decoder := xml.NewDecoder(strings.NewReader(picture))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestColours compares with xterm's palette.
func TestColours(t *testing.T) {
	for sequence, want := range map[string]string{
		"31": "#cd0000", "97": "#ffffff", "38;5;16": "#000000", "38;5;81": "#5fd7ff", "38;5;243": "#767676", "38;2;1;2;255": "#0102ff",
		"1": "", "0": "", "38;5;81;39": "",
	} {
		if got := (pen{}).set(sequence).color; got != want {
			t.Errorf("ESC[%sm is %q, want %q", sequence, got, want)
		}
	}
}

// TestNoHidden holds that a picture shows control characters other than colors.
func TestNoHidden(t *testing.T) {
	picture := Render("a\u202eb\x1b]8;;x\ac\u009bd", Style{Width: 30})
	if want := `>a\u202eb\x1b]8;;x\ac\u009bd</text>`; !strings.Contains(picture, want) {
		t.Errorf("no %s in %q", want, picture)
	}
}
