package pane_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views/lanes"
)

// TestNoLaneMoves draws the components at every record: each has the same line at all of them.
func TestNoLaneMoves(t *testing.T) {
	rec := record(t, deployment)
	plain, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int{{60, 16}, {80, 20}, {120, 40}} {
		var first map[string]int
		for seq := int64(1); seq <= rec.Len(); seq++ {
			rows := map[string]int{}
			for row, line := range pane.Draw(lanes.Components{}, start(rec).At(seq), pane.Canvas{Theme: plain, Width: size[0], Height: size[1]}, "") {
				if name, ok := strings.CutPrefix(ansi.Cut(line, 2, 20), "● "); ok {
					rows[strings.TrimSpace(name)] = row
				}
			}
			if first == nil {
				first = rows
			}
			// The component of the record may have a line of its own, below the lanes.
			maps.DeleteFunc(rows, func(name string, _ int) bool { return first[name] == 0 })
			if len(rows) < 4 || !maps.Equal(rows, first) {
				t.Fatalf("at record %d on %d cells the lanes are %v, but %v at the first", seq, size[0], rows, first)
			}
		}
	}
}
