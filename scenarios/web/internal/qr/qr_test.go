package qr

import (
	"strings"
	"testing"
)

// finder is the picture in three corners of each QR code.
const finder = `
#######
#.....#
#.###.#
#.###.#
#.###.#
#.....#
#######`

// TestCode looks for the three finders, and holds the drawings to the code.
func TestCode(t *testing.T) {
	c, err := New("http://192.0.2.1:8080/?code=abcdef")
	if err != nil {
		t.Fatal(err)
	}
	for _, corner := range [][2]int{{0, 0}, {c.Size - 7, 0}, {0, c.Size - 7}} {
		var b strings.Builder
		for y := range 7 {
			b.WriteString("\n")
			for x := range 7 {
				b.WriteString(map[bool]string{true: "#", false: "."}[c.Black(corner[0]+x, corner[1]+y)])
			}
		}
		if b.String() != finder {
			t.Errorf("at %v, there is%s", corner, b.String())
		}
	}
	if c.Black(-1, 0) || c.Black(0, c.Size) {
		t.Error("the quiet zone is black")
	}
	if path := c.Path(); !strings.HasPrefix(path, "M4 4h7v1h-7z") {
		t.Errorf("the path begins with %.40s", path)
	}
	lines := strings.Split(strings.TrimSuffix(c.Terminal(), "\n"), "\n")
	first := strings.TrimSuffix(strings.TrimPrefix(lines[2], "\x1b[30;107m"), "\x1b[0m")
	if want := "    █▀▀▀▀▀█"; len(lines) != (c.Width()+1)/2 || !strings.HasPrefix(first, want) {
		t.Errorf("%d lines, the third %q", len(lines), first)
	}
	if _, err := New(strings.Repeat("a", 5000)); err == nil {
		t.Error("a long text is encoded")
	}
}
