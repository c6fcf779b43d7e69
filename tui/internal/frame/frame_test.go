package frame_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/tui/internal/frame"
)

// TestWrap breaks between words, and words only where one alone is too long. It never breaks at a hyphen: half of a
// name is not a name that can be looked for.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text        string
		width, hang int
		want        string
	}{
		{"one two three", 20, 0, "one two three"},
		{"one two three", 8, 0, "one two\nthree"},
		{"update replicasets/web-5d9b4c", 25, 2, "update\n  replicasets/web-5d9b4c"},
		{"  read pods of web", 12, 4, "  read pods\n    of web"},
		{"registry.example.com/web:v1", 12, 2, "registry.exa\n  mple.com/w\n  eb:v1"},
		{"too narrow", 4, 2, "too…"},
		// Chinese has no spaces between its words, and no line begins with a comma.
		{"控制器创建 Pod，然后等待。", 10, 0, "控制器创建\nPod，然后\n等待。"},
		{"控制器创建 3 个 Pod，再等待", 12, 2, "控制器创建 3\n  个 Pod，再\n  等待"},
		{"", 10, 0, ""},
	} {
		if diff := cmp.Diff(c.want, strings.Join(frame.Wrap(c.text, c.width, c.hang), "\n")); diff != "" {
			t.Errorf("%q in %d cells: -want +got\n%s", c.text, c.width, diff)
		}
	}
}

// TestWindow moves a selection through lists of every length: it is always shown, and no line of the window is empty
// while there are lines for it.
func TestWindow(t *testing.T) {
	for n := range 30 {
		for height := range 12 {
			for at := -1; at < n; at++ {
				from, to := frame.Window(n, at, height)
				if from < 0 || to > n || to-from != min(n, height) || at >= 0 && height > 0 && (at < from || at >= to) {
					t.Fatalf("line %d of %d in %d lines: from %d to %d", at, n, height, from, to)
				}
			}
		}
	}
}

// TestOutline draws a forest: two roots, of which the first has children with and without siblings below them.
func TestOutline(t *testing.T) {
	names := []string{"web", "v1", "v1-a", "v1-b", "v2", "v2-a", "other", "x"}
	out := frame.Outline([]int{0, 1, 2, 2, 1, 2, 0, 1})
	for i := range out {
		out[i] += names[i]
	}
	want := "web\n├─ v1\n│  ├─ v1-a\n│  └─ v1-b\n└─ v2\n   └─ v2-a\nother\n└─ x"
	if diff := cmp.Diff(want, strings.Join(out, "\n")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestCuts makes texts of exactly so many cells, whatever the text is.
func TestCuts(t *testing.T) {
	for _, text := range []string{"", "web", "replicasets/web-7bb795564c", "● ● ●", "世界の世界", "\x1b[1mbold and long\x1b[0m"} {
		for width := range 30 {
			for name, got := range map[string]string{
				"Fit": frame.Fit(text, width), "Right": frame.Right(text, width), "Ends": frame.Ends(text, "rv 5", width),
			} {
				if n := ansi.StringWidth(got); n != width {
					t.Errorf("%s(%q, %d) has %d cells: %q", name, text, width, n, got)
				}
			}
			if box := frame.Box(text, []string{text, text}, width, 4, lipgloss.NewStyle()); len(box) != 4 {
				t.Errorf("a box of 4 lines around %q has %d", text, len(box))
			} else {
				for _, line := range box {
					if n := ansi.StringWidth(line); n != width {
						t.Errorf("a box of %d cells around %q has %d: %q", width, text, n, line)
					}
				}
			}
		}
	}
	if got := frame.Middle("replicasets/web-7bb795564c", 12); got != "replic…5564c" {
		t.Errorf("the middle is cut out as %q", got)
	}
}

// TestMarkAt finds what cells stand for, in a line that was put into a box and cut.
func TestMarkAt(t *testing.T) {
	line := frame.Mark(1, "node-1 "+frame.Mark(2, "v1·3")+" is ready") + "  " + frame.Mark(3, "node-2 with a long name")
	lines := frame.Box("title", []string{line}, 32, 3, lipgloss.NewStyle())
	if plain := ansi.Strip(lines[1]); plain != "│ node-1 v1·3 is ready  node-… │" || frame.Width(lines[1]) != 32 {
		t.Fatalf("the line is %q", plain)
	}
	for cell, want := range map[int]int{-1: -1, 0: -1, 1: -1, 2: 1, 8: 1, 9: 2, 12: 2, 13: 1, 21: 1, 22: -1, 24: 3, 28: 3, 30: -1, 31: -1, 99: -1} {
		if got := frame.MarkAt(lines[1], cell); got != want {
			t.Errorf("cell %d is %d, want %d", cell, got, want)
		}
	}
}
