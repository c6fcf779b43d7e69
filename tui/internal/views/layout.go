package views

// Rect is a part of the screen, in cells.
type Rect struct{ X, Y, W, H int }

// Contains reports whether a cell is in the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Breakpoint names a range of terminal sizes that share a layout.
type Breakpoint int

// The breakpoints, from small to large.
const (
	// TooSmall shows nothing but what is missing.
	TooSmall Breakpoint = iota
	// Narrow has the view and one pane below it; tab switches the pane.
	Narrow
	// Wide has panes beside the view.
	Wide
	// Roomy is wide, with more room for the trace.
	Roomy
)

// The smallest sizes of the breakpoints.
const (
	MinWidth, MinHeight   = 60, 20
	WideWidth, WideHeight = 100, 26
	roomyWidth            = 160
	// tallHeader is from where on the header names the steps below the bar.
	tallHeader = 26
)

// BreakpointOf is the breakpoint of a terminal of w by h cells.
func BreakpointOf(w, h int) Breakpoint {
	switch {
	case w < MinWidth || h < MinHeight:
		return TooSmall
	case w < WideWidth || h < WideHeight:
		return Narrow
	case w < roomyWidth:
		return Wide
	}
	return Roomy
}

// Layout says where the parts of the screen are. A part without cells is not shown.
type Layout struct {
	Breakpoint Breakpoint
	Header     Rect
	// Main is the main pane of the view, with others Beside it and Below both.
	Main, Beside, Below Rect
	// Footer has the keys in its last line, and the views in the one above if it has two.
	Footer Rect
}

// Compute lays out a view on a terminal of w by h cells.
func Compute(w, h int, v *View) Layout {
	l := Layout{Breakpoint: BreakpointOf(w, h)}
	if l.Breakpoint == TooSmall {
		return l
	}
	header := 2
	if h >= tallHeader && !v.Bare {
		header = 3
	}
	footer := 1
	if l.Breakpoint >= Wide && v != Presentation {
		footer = 2
	}
	l.Header, l.Footer = Rect{0, 0, w, header}, Rect{0, h - footer, w, footer}
	a := v.Around(l.Breakpoint)
	main := Rect{0, header, share(w, a.width, a.maxWidth), share(h-header-footer, a.height, a.maxHeight)}
	l.Main = main
	if main.W < w {
		l.Beside = Rect{main.W, header, w - main.W, main.H}
	}
	if rest := h - header - footer - main.H; rest > 0 {
		l.Below = Rect{0, header + main.H, w, rest}
	}
	return l
}

// share is so many percent of some cells, but not more than most unless that is 0.
func share(cells, percent, most int) int {
	n := cells * percent / 100
	if most > 0 {
		n = min(n, most)
	}
	return n
}

// SmallPane is the least height with which a pane is worth to be shown.
const SmallPane = 5

// WithCard makes room for a card of some height at the bottom, and says how much it has. It takes the place of
// the pane there, or of a part of it, and else of the view.
func (l Layout) WithCard(height int) (Layout, int) {
	switch body := l.Main.H + l.Below.H; {
	case l.Below.H >= height+SmallPane:
		l.Below.H -= height
		return l, height
	case l.Below.H >= height:
		height = l.Below.H
		l.Below = Rect{}
		return l, height
	default:
		height = min(height, body-SmallPane)
		l.Below = Rect{}
		l.Main.H = body - height
		l.Beside.H = min(l.Beside.H, l.Main.H)
		return l, height
	}
}
