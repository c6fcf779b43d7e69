package tui

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/filter"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/views"
	"github.com/kubestep/kubestep/tui/internal/views/facet"
)

// viewer is a reader of a recording: the moment that is looked at, in which view, and how the reader moves.
type viewer struct {
	pane.Moment
	view *views.View
	// tab is the index of the pane that tab has switched to.
	tab int
	// trail are the records from which jumps left.
	trail  []int64
	player player
	// zoom is the way back to the stage, if the reader looked inside something there.
	zoom *zoom
}

// newViewer returns a viewer. It goes through the whole recording.
func newViewer(rec *recording.Recording) *viewer {
	return viewerOf(scene.New(rec))
}

// viewerOf returns a viewer of a recording that somebody has gone through.
func viewerOf(scenes *scene.Scenes) *viewer {
	v := &viewer{Moment: pane.NewMoment(scenes), player: newPlayer()}
	v.view = v.first()
	v.list()
	v.move(v.firstOfStory())
	v.Moment = v.Show(v.Workload)
	return v
}

// first is the view in which the recording is opened.
func (v *viewer) first() *views.View {
	for _, view := range views.All {
		if view.First && pane.Missing(view.Main, v.Moment) == "" {
			return view
		}
	}
	return nil
}

// firstOfStory is the first visible record at or after time zero: before it, the controllers start.
func (v *viewer) firstOfStory() int64 {
	for _, seq := range v.Visible {
		if v.Rec.At(seq) >= 0 {
			return seq
		}
	}
	return 1
}

// list finds the visible records again.
func (v *viewer) list() {
	matches := filter.Parse(v.Filter)
	v.Visible = nil
	for seq := int64(1); seq <= v.Rec.Len(); seq++ {
		if (v.All || v.Rec.IsStory(seq)) && matches(v.Rec, seq) {
			v.Visible = append(v.Visible, seq)
		}
	}
}

// setFilter lists the records that a filter lets through, and says if there are none.
func (v *viewer) setFilter(text string) (status string) {
	v.Filter = text
	v.list()
	switch {
	case text == "":
		return ""
	case len(v.Visible) == 0 && v.Rec.Whole != nil:
		return "no record matches in the part of the trace that was read; n reads on"
	case len(v.Visible) == 0:
		return "no record matches"
	case v.Rec.Whole != nil:
		return "the filter lists " + trace.Count(len(v.Visible), "record") + " of the part that was read; esc shows all again"
	}
	// The list of records may not be on the screen.
	return "the filter lists " + trace.Count(len(v.Visible), "record") + "; esc shows all again"
}

// move sets the cursor.
func (v *viewer) move(seq int64) {
	before := v.Direction().Seq
	v.Moment = v.At(seq)
	if d := v.Direction(); d.Seq != before {
		v.direct(d)
	}
}

// direct opens the view that the scenario asks for. The reader may open another one.
func (v *viewer) direct(d scene.Direction) {
	if d.Seq == 0 {
		return
	}
	if to := views.Of(d.View); to != nil && pane.Missing(to.Main, v.Moment) == "" {
		v.open(to)
	}
	v.Moment = v.Directed()
	if v.view.View == view.Objects && len(v.Beat().Family(v.Selected)) > 1 {
		// A lesson directs to an object with a family because of that.
		v.tab = slices.Index(facet.All, pane.Pane(facet.Owners))
	}
}

// jump moves far, and remembers from where.
func (v *viewer) jump(seq int64) {
	if seq == v.Seq {
		return
	}
	v.trail = append(v.trail, v.Seq)
	v.move(seq)
}

// seek goes to a time, and to the last visible record at or before it.
func (v *viewer) seek(at time.Duration) {
	i, _ := slices.BinarySearchFunc(v.Visible, at+1, func(seq int64, at time.Duration) int {
		if v.Rec.At(seq) < at {
			return -1
		}
		return 1
	})
	if i > 0 {
		v.move(v.Visible[i-1])
		if at > v.Now && i < len(v.Visible) {
			v.Now = at
		}
	} else if len(v.Visible) > 0 {
		v.move(v.Visible[0])
	}
}

// show goes to a time after a record, or after the last visible one before it.
func (v *viewer) show(seq int64, at time.Duration) {
	if listed := recording.Latest(v.Visible, seq); listed != 0 {
		v.move(listed)
		v.Now = max(v.Now, at)
	} else if len(v.Visible) > 0 {
		v.move(v.Visible[0])
	}
}

// open shows a view.
func (v *viewer) open(to *views.View) {
	if opener, ok := to.Main.(pane.Opener); ok && v.view != to {
		v.Moment = opener.Open(v.Moment)
	}
	v.view, v.tab, v.Scroll = to, 0, 0
}

// openPane shows a view with one of the panes around its main pane or, if that is shown, without it.
func (v *viewer) openPane(of *views.View, p pane.Pane, b views.Breakpoint) {
	shown := v.view == of && v.chosen(b) == p
	v.open(of)
	if !shown {
		v.tab = max(slices.Index(v.tabs(b), p), 0)
	}
}

// tabs are the panes that tab switches between.
func (v *viewer) tabs(b views.Breakpoint) []pane.Pane { return v.view.At(b, v.Moment).Tabs() }

// chosen is the pane that tab has switched to; nil if there is none.
func (v *viewer) chosen(b views.Breakpoint) pane.Pane {
	if tabs := v.tabs(b); v.tab < len(tabs) {
		return tabs[v.tab]
	}
	return nil
}

// switchTab switches to a pane some tabs further.
func (v *viewer) switchTab(by int, b views.Breakpoint) {
	n := len(v.tabs(b))
	v.tab = (v.tab + by + n) % n
	v.Scroll = 0
}

// switchWorkload shows a workload some further.
func (v *viewer) switchWorkload(by int) {
	n := len(v.Rec.Workloads())
	v.Moment = v.Show((v.Workload + by + n) % n)
}

// lister is the pane in which the arrow keys select a line: that which tab has switched to, if it has lines that can
// be selected, or else the main pane; nil if neither has.
func (v *viewer) lister(b views.Breakpoint) pane.Lister {
	if l, ok := v.chosen(b).(pane.Lister); ok {
		return l
	}
	l, _ := v.view.Main.(pane.Lister)
	return l
}
