package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/views"
	"github.com/kubestep/kubestep/tui/internal/views/facet"
)

// breakpoints are the names of the breakpoints.
var breakpoints = map[views.Breakpoint]string{views.TooSmall: "too small", views.Narrow: "narrow", views.Wide: "wide", views.Roomy: "roomy"}

// layouts prints where the panes of a view are on terminals of the sizes of the input, and what is shown there. With
// card=N there is a card of N lines.
func layouts(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	var shown *views.View
	for _, v := range append([]*views.View{views.Presentation}, views.All...) {
		if v.Name == d.CmdArgs[0].Key || v == views.Presentation && d.CmdArgs[0].Key == "presentation" {
			shown = v
		}
	}
	if shown == nil {
		d.Fatalf(t, "no view %s", d.CmdArgs[0].Key)
	}
	var b strings.Builder
	for size := range strings.FieldsSeq(d.Input) {
		var w, h int
		if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
			d.Fatalf(t, "%s: %v", size, err)
		}
		l := views.Compute(w, h, shown)
		card := 0
		if d.MaybeScanArgs(t, "card", &card); card > 0 {
			l, card = l.WithCard(card)
		}
		fmt.Fprintf(&b, "%-7s %s\n", size, breakpoints[l.Breakpoint])
		around := shown.Around(l.Breakpoint)
		for _, part := range []struct {
			name  string
			rect  views.Rect
			panes []pane.Pane
		}{
			{"header", l.Header, nil}, {"main", l.Main, nil}, {"beside", l.Beside, around.Beside}, {"below", l.Below, around.Below},
			{"card", views.Rect{X: 0, Y: h - 1 - card, W: w, H: card}, nil}, {"footer", l.Footer, nil},
		} {
			if part.rect.W*part.rect.H > 0 {
				fmt.Fprintf(&b, "  %-7s %3d x %-3d at %3d,%d", part.name, part.rect.W, part.rect.H, part.rect.X, part.rect.Y)
				for _, p := range part.panes {
					name := strings.TrimPrefix(fmt.Sprintf("%T", p), "pane.")
					if side, ok := p.(*facet.Side); ok {
						name, _ = side.Title(pane.Moment{}, nil)
						name = fmt.Sprintf("%q", name)
					}
					b.WriteString(" " + name)
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// TestPanesTileTheScreen lays out each view on all terminals up to a large one: the parts lie beside each other
// without a gap, and no cell belongs to two.
func TestPanesTileTheScreen(t *testing.T) {
	for _, v := range append([]*views.View{views.Presentation}, views.All...) {
		for w := views.MinWidth; w <= 220; w += 3 {
			for h := views.MinHeight; h <= 80; h++ {
				l := views.Compute(w, h, v)
				area := 0
				parts := []views.Rect{l.Header, l.Main, l.Beside, l.Below, l.Footer}
				for i, r := range parts {
					area += r.W * r.H
					if r.X < 0 || r.Y < 0 || r.X+r.W > w || r.Y+r.H > h {
						t.Fatalf("%s on %dx%d: part %d leaves the screen: %v", v.Name, w, h, i, r)
					}
					for _, other := range parts[:i] {
						if r.W*r.H > 0 && other.Contains(r.X, r.Y) {
							t.Fatalf("%s on %dx%d: %v is inside of %v", v.Name, w, h, r, other)
						}
					}
				}
				if area != w*h {
					t.Fatalf("%s on %dx%d: the parts have %d of %d cells: %+v", v.Name, w, h, area, w*h, l)
				}
				for card := 3; card < h; card++ {
					with, room := l.WithCard(card)
					if got := with.Main.H + with.Below.H + room; room < 0 || got != l.Main.H+l.Below.H || with.Main.H < views.SmallPane {
						t.Fatalf("%s on %dx%d: a card of %d lines gets %d beside %+v", v.Name, w, h, card, room, with)
					}
				}
			}
		}
	}
}
