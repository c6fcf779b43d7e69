package tui

import (
	"strings"

	"github.com/kubestep/kubestep/tui/facet"
	"github.com/kubestep/kubestep/tui/pane"
)

// view is one way to look at a recording: a main pane, and what is around it.
type view struct {
	// key shows the view. Help, footer and docs/reference/keys.md name it with its name and what it is about.
	key, name, about string
	main             pane.Pane
	// narrow, wide and roomy say what is around the main pane, by the size of the terminal.
	narrow, wide, roomy arrangement
	// shortcut shows one of the panes around the main one.
	shortcut shortcut
	// bare leaves the names of the steps in the header out.
	bare bool
	// first means that a recording may be opened in this view: it is in the first such that has something to show.
	first bool
}

// shortcut is a key that shows a pane of a view, and when it is shown, the view without it.
type shortcut struct {
	key, about string
	// hint is its name in the footer.
	hint string
	pane pane.Pane
}

// arrangement is the panes around a main pane, and how much of the room the main pane has, in percent. Tab switches
// between the panes beside it or, if there are none, below it.
type arrangement struct {
	width, height int
	// maxWidth and maxHeight are the most cells of the main pane; 0 means no limit.
	maxWidth, maxHeight int
	beside, below       []pane.Pane
}

// beside arranges panes at the right of the main pane, which has so many percent of the width.
func beside(width int, panes ...pane.Pane) arrangement {
	return arrangement{width: width, height: 100, beside: panes}
}

// above arranges panes below the main pane, which has so many percent of the height.
func above(height int, panes ...pane.Pane) arrangement {
	return arrangement{width: 100, height: height, below: panes}
}

// alone is a main pane with nothing around it.
var alone = arrangement{width: 100, height: 100}

// upTo limits the main pane.
func (a arrangement) upTo(width, height int) arrangement {
	a.maxWidth, a.maxHeight = width, height
	return a
}

// and puts panes below the two that are beside each other, which have so many percent of the height.
func (a arrangement) and(height int, panes ...pane.Pane) arrangement {
	a.height, a.below = height, panes
	return a
}

// tabs are the panes that tab switches between.
func (a arrangement) tabs() []pane.Pane {
	if len(a.beside) > 0 {
		return a.beside
	}
	return a.below
}

// facets are the sides of the selected object.
var facets = []pane.Pane{facet.YAML{}, facet.LastChange{}, facet.Owners{}, facet.Events{}, facet.History{}}

// views is the table of views, in the order of their keys. It is the only place that knows which there are: a view is
// added by a row here and a pane.
var views = []*view{
	{
		key: "1", name: "Rollout", about: "workloads and their Pods", main: pane.Rollout{}, first: true,
		narrow: above(54, pane.Why{}, pane.Math{}, pane.Trace{}, pane.Next{}),
		// A rollout has about as many lines as this; the trace below takes the rest.
		wide:     beside(60, pane.Why{}, pane.Math{}).and(65, pane.Trace{}).upTo(0, 24),
		roomy:    beside(65, pane.Why{}, pane.Math{}).and(65, pane.Trace{}).upTo(0, 24),
		shortcut: shortcut{"m", "the arithmetic of a step of a rollout, or Why again", "math", pane.Math{}},
	},
	{
		key: "2", name: "Loop", about: "one sync of a controller", main: pane.Loop{},
		narrow: above(60, pane.Trace{}, pane.Next{}), wide: above(70, pane.Trace{}), roomy: above(70, pane.Trace{}),
	},
	{
		key: "3", name: "Queues", about: "work queues and caches", main: pane.Queues{},
		narrow: above(60, pane.Why{}, pane.Trace{}, pane.Next{}), wide: above(70, pane.Trace{}), roomy: above(70, pane.Trace{}),
	},
	{
		key: "4", name: "Objects", about: "YAML, changes, owners, Events, history", main: pane.Objects{},
		narrow: above(34, facets...), wide: beside(40, facets...).upTo(64, 0), roomy: beside(40, facets...).upTo(64, 0),
	},
	{
		key: "5", name: "Trace", about: "every record", main: pane.Trace{}, first: true,
		// The lines of the trace are long: they have the whole width, or most of it.
		narrow: above(60, pane.Why{}, pane.Next{}), wide: above(55, pane.Why{}), roomy: beside(65, pane.Why{}),
	},
	comparison,
	{
		key: "7", name: "Components", about: "who talks to whom", main: pane.Components{},
		narrow: alone, wide: above(70, pane.Trace{}), roomy: beside(65, pane.Trace{}),
	},
	{
		key: "8", name: "Decisions", about: "what a controller changed, and why", main: pane.Decisions{},
		narrow: above(60, pane.Math{}, pane.Why{}, pane.Trace{}, pane.Next{}), wide: above(55, pane.Math{}, pane.Why{}, pane.Trace{}),
		roomy: beside(60, pane.Math{}, pane.Why{}),
	},
}

// comparison is the view to go to when a branch was made.
var comparison = &view{
	key: "6", name: "Branches", about: "runs with a different step", main: pane.Branches{},
	narrow: alone, wide: alone, roomy: alone,
}

// presentation is the view that P switches on over all others: it is for a room.
var presentation = &view{main: pane.Stage{}, narrow: alone, wide: alone, roomy: alone, bare: true}

// presented is a view as a room sees it: the main pane alone, and for a rollout the large picture.
func presented(v *view) *view {
	if _, ok := v.main.(pane.Rollout); ok {
		return presentation
	}
	return &view{key: v.key, name: v.name, about: v.about, main: v.main, narrow: alone, wide: alone, roomy: alone, bare: true}
}

// viewNamed is a view by its name in a scenario; nil if there is none.
func viewNamed(name string) *view {
	for _, v := range views {
		if strings.EqualFold(v.name, name) {
			return v
		}
	}
	return nil
}

// arrangement is what is around the main pane on a terminal of some size.
func (v *view) arrangement(b Breakpoint) arrangement {
	switch b {
	case Wide:
		return v.wide
	case Roomy:
		return v.roomy
	}
	return v.narrow
}

// at is what is around the main pane, as far as the recording has something to show there.
func (v *view) at(b Breakpoint, m pane.Moment) arrangement {
	a := v.arrangement(b)
	a.beside, a.below = available(a.beside, m), available(a.below, m)
	return a
}

// available leaves out the panes that have nothing to show.
func available(panes []pane.Pane, m pane.Moment) []pane.Pane {
	var out []pane.Pane
	for _, p := range panes {
		if pane.Missing(p, m) == "" {
			out = append(out, p)
		}
	}
	return out
}
