// Package views is the table of views, and where the panes of a view are on a terminal of some size.
//
// A view is a row of the table in table.go: its key and name, its main pane, and which panes are around it on narrow, wide and roomy
// terminals. Keys, footer, help, docs/reference/keys.md, tabs, the mouse and the layout follow from the table. To add a view, write
// a pane in a file of tui/internal/pane, and a row; then run
//
//	make golden PKG="./tui/... ./docs"
//
// and review the changes. No other code refers to a view by its name; TestOnlyTheTableKnowsTheViews checks this.
package views

import (
	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/views/columns"
	"github.com/kubestep/kubestep/tui/internal/views/facet"
	"github.com/kubestep/kubestep/tui/internal/views/lanes"
)

// View is one way to look at a recording: a main pane, and what is around it.
type View struct {
	// The row of the table of all views has its key, and names it in help, footer and docs/reference/keys.md.
	*view.View
	Main pane.Pane
	// Narrow, Wide and Roomy say what is around the main pane, by the size of the terminal.
	Narrow, Wide, Roomy Arrangement
	// Shortcut shows one of the panes around the main one.
	Shortcut Shortcut
	// Bare leaves the names of the steps in the header out.
	Bare bool
	// First means that a recording may be opened in this view: it is in the first such that has something to show.
	First bool
}

// Shortcut is a key that shows a pane of a view, and when it is shown, the view without it.
type Shortcut struct {
	Key, About string
	// Hint is its name in the footer.
	Hint string
	Pane pane.Pane
}

// Arrangement is the panes around a main pane, and how much of the room the main pane has, in percent. Tab switches
// between the panes beside it or, if there are none, below it.
type Arrangement struct {
	width, height int
	// maxWidth and maxHeight are the most cells of the main pane; 0 means no limit.
	maxWidth, maxHeight int
	Beside, Below       []pane.Pane
}

// beside arranges panes at the right of the main pane, which has so many percent of the width.
func beside(width int, panes ...pane.Pane) Arrangement {
	return Arrangement{width: width, height: 100, Beside: panes}
}

// above arranges panes below the main pane, which has so many percent of the height.
func above(height int, panes ...pane.Pane) Arrangement {
	return Arrangement{width: 100, height: height, Below: panes}
}

// alone is a main pane with nothing around it.
var alone = Arrangement{width: 100, height: 100}

// upTo limits the main pane.
func (a Arrangement) upTo(width, height int) Arrangement {
	a.maxWidth, a.maxHeight = width, height
	return a
}

// and puts panes below the two that are beside each other, which have so many percent of the height.
func (a Arrangement) and(height int, panes ...pane.Pane) Arrangement {
	a.height, a.Below = height, panes
	return a
}

// Tabs are the panes that tab switches between.
func (a Arrangement) Tabs() []pane.Pane {
	if len(a.Beside) > 0 {
		return a.Beside
	}
	return a.Below
}

// All is the table of views, in the order of their keys. It is the only place that knows which there are: a view is
// added by a row here and a pane.
var All = []*View{
	{
		View: view.Stage, Main: columns.Stage{}, First: true,
		Narrow: alone, Wide: alone, Roomy: alone,
	},
	{
		View: view.Rollout, Main: pane.Rollout{}, First: true,
		Narrow: above(54, pane.Why{}, pane.Math{}, pane.Trace{}, pane.Next{}),
		// A rollout has about as many lines as this; the trace below takes the rest.
		Wide:     beside(60, pane.Why{}, pane.Math{}).and(65, pane.Trace{}).upTo(0, 24),
		Roomy:    beside(65, pane.Why{}, pane.Math{}).and(65, pane.Trace{}).upTo(0, 24),
		Shortcut: Shortcut{"m", "the arithmetic of a step of a rollout, or Why again", "math", pane.Math{}},
	},
	{
		View: view.Loop, Main: pane.Loop{},
		Narrow: above(60, pane.Trace{}, pane.Next{}), Wide: above(70, pane.Trace{}), Roomy: above(70, pane.Trace{}),
	},
	{
		View: view.Queues, Main: pane.Queues{},
		Narrow: above(60, pane.Why{}, pane.Trace{}, pane.Next{}), Wide: above(70, pane.Trace{}), Roomy: above(70, pane.Trace{}),
	},
	{
		View: view.Objects, Main: pane.Objects{},
		Narrow: above(34, facet.All...), Wide: beside(40, facet.All...).upTo(64, 0), Roomy: beside(40, facet.All...).upTo(64, 0),
	},
	{
		View: view.Trace, Main: pane.Trace{}, First: true,
		// The lines of the trace are long: they have the whole width, or most of it.
		Narrow: above(60, pane.Why{}, pane.Next{}), Wide: above(55, pane.Why{}), Roomy: beside(65, pane.Why{}),
	},
	Comparison,
	{
		View: view.Components, Main: lanes.Components{},
		Narrow: alone, Wide: above(70, pane.Trace{}), Roomy: above(70, pane.Trace{}),
	},
	{
		View: view.Decisions, Main: pane.Decisions{},
		Narrow: above(60, pane.Math{}, pane.Why{}, pane.Trace{}, pane.Next{}), Wide: above(55, pane.Math{}, pane.Why{}, pane.Trace{}),
		Roomy: beside(60, pane.Math{}, pane.Why{}),
	},
}

// Comparison is the view to go to when a branch was made.
var Comparison = &View{
	View: view.Branches, Main: pane.Branches{},
	Narrow: alone, Wide: alone, Roomy: alone,
}

// Presentation is the view that P switches on over all others: it is for a room.
var Presentation = &View{View: &view.View{}, Main: pane.Room{}, Narrow: alone, Wide: alone, Roomy: alone, Bare: true}

// Presented is a view as a room sees it: the main pane alone, and for a rollout the large picture.
func Presented(v *View) *View {
	main := v.Main
	switch main.(type) {
	case pane.Rollout:
		return Presentation
	case lanes.Components:
		main = lanes.Large{}
	}
	return &View{View: v.View, Main: main, Narrow: alone, Wide: alone, Roomy: alone, Bare: true}
}

// Of is a view by its row in the table of all views; nil if there is none.
func Of(row *view.View) *View {
	for _, v := range All {
		if v.View == row {
			return v
		}
	}
	return nil
}

// Around is what is around the main pane on a terminal of some size.
func (v *View) Around(b Breakpoint) Arrangement {
	switch b {
	case Wide:
		return v.Wide
	case Roomy:
		return v.Roomy
	}
	return v.Narrow
}

// At is what is around the main pane, as far as the recording has something to show there.
func (v *View) At(b Breakpoint, m pane.Moment) Arrangement {
	a := v.Around(b)
	a.Beside, a.Below = available(a.Beside, m), available(a.Below, m)
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
