package tui

// Rect is a part of the screen, in cells.
type Rect struct{ X, Y, W, H int }

// Contains says whether a cell is in the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Breakpoint names a range of terminal sizes that share a layout.
type Breakpoint int

// The breakpoints, from small to large.
const (
	// TooSmall shows nothing but what is missing.
	TooSmall Breakpoint = iota
	// Narrow has the view and one panel below it; tab switches the panel.
	Narrow
	// Wide has the panels beside the view.
	Wide
	// Roomy is wide, with more room for the trace.
	Roomy
)

// The smallest sizes of the breakpoints.
const (
	minWidth, minHeight   = 60, 20
	wideWidth, wideHeight = 100, 26
	roomyWidth            = 160
	// tallHeader is from where on the header names the steps below the bar.
	tallHeader = 26
)

// Layout says where the parts of the screen are. A part without cells is not shown.
type Layout struct {
	Breakpoint Breakpoint
	Header     Rect
	// Main is the view itself, Bottom what is below it: one panel on narrow screens, the trace on wide ones.
	Main, Bottom Rect
	// Side is the panel beside the view on wide screens.
	Side   Rect
	Footer Rect
}

// Compute lays out a view on a terminal of w by h cells.
func Compute(w, h int, view View) Layout {
	if w < minWidth || h < minHeight {
		return Layout{}
	}
	header := 2
	if h >= tallHeader {
		header = 3
	}
	l := Layout{Header: Rect{0, 0, w, header}, Footer: Rect{0, h - 1, w, 1}}
	body := Rect{0, header, w, h - header - 1}
	if w < wideWidth || h < wideHeight {
		l.Breakpoint = Narrow
		l.narrow(body, view)
		return l
	}
	l.Breakpoint = Wide
	left := w * 3 / 5
	if w >= roomyWidth {
		l.Breakpoint = Roomy
		left = w * 13 / 20
	}
	l.wide(body, left, view)
	return l
}

// smallPanel is the least height with which a panel is worth to be shown.
const smallPanel = 5

// withCard makes room for a card of some height at the bottom, and says how much it has. It takes the place of
// the panel there, or of a part of it, and else of the view.
func (l Layout) withCard(height int) (Layout, int) {
	switch body := l.Main.H + l.Bottom.H; {
	case l.Bottom.H >= height+smallPanel:
		l.Bottom.H -= height
		return l, height
	case l.Bottom.H >= height:
		height = l.Bottom.H
		l.Bottom = Rect{}
		return l, height
	default:
		height = min(height, body-smallPanel)
		l.Bottom = Rect{}
		l.Main.H = body - height
		l.Side.H = min(l.Side.H, l.Main.H)
		return l, height
	}
}

// Stage lays out a presentation: the workload has all the room.
func Stage(w, h int) Layout {
	if w < minWidth || h < minHeight {
		return Layout{}
	}
	const header = 2
	return Layout{
		Breakpoint: Narrow, Header: Rect{0, 0, w, header}, Main: Rect{0, header, w, h - header - 1}, Footer: Rect{0, h - 1, w, 1},
	}
}

// narrow stacks the view and one panel.
func (l *Layout) narrow(body Rect, view View) {
	main := (body.H + 2) / 2
	switch view {
	case ViewObjects:
		main = body.H / 3
	case ViewTrace, ViewLoop, ViewQueues:
		main = body.H * 3 / 5
	}
	l.Main = Rect{body.X, body.Y, body.W, main}
	l.Bottom = Rect{body.X, body.Y + main, body.W, body.H - main}
}

// wide puts the panels beside the view.
func (l *Layout) wide(body Rect, left int, view View) {
	if view == ViewObjects {
		left = min(body.W*2/5, 64)
		l.Main = Rect{body.X, body.Y, left, body.H}
		l.Side = Rect{body.X + left, body.Y, body.W - left, body.H}
		return
	}
	if view == ViewTrace {
		// The lines of the trace are long: they have the whole width, or most of it.
		if l.Breakpoint == Roomy {
			l.Main = Rect{body.X, body.Y, left, body.H}
			l.Side = Rect{body.X + left, body.Y, body.W - left, body.H}
			return
		}
		main := body.H * 11 / 20
		l.Main = Rect{body.X, body.Y, body.W, main}
		l.Bottom = Rect{body.X, body.Y + main, body.W, body.H - main}
		return
	}
	if view == ViewBranches {
		l.Main = body
		return
	}
	if view == ViewLoop || view == ViewQueues {
		main := body.H * 7 / 10
		l.Main = Rect{body.X, body.Y, body.W, main}
		l.Bottom = Rect{body.X, body.Y + main, body.W, body.H - main}
		return
	}
	// The rollout has about as many lines as this; the trace below takes the rest.
	main := min(body.H*13/20, 24)
	l.Main = Rect{body.X, body.Y, left, main}
	l.Side = Rect{body.X + left, body.Y, body.W - left, main}
	l.Bottom = Rect{body.X, body.Y + main, body.W, body.H - main}
}
