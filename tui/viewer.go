package tui

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/pane"
	"github.com/kubestep/kubestep/tui/theme"
)

// viewer is where a reader stands in a recording, and what is shown of it.
type viewer struct {
	rec    *recording.Recording
	cursor int64
	view   View
	panel  int
	// scroll is of the panel that has more lines than room.
	scroll int
	// visible are the records that moving by one stops at: those of the story, or all, that match the filter.
	visible []int64
	all     bool
	filter  string
	// trail is where jumps left from.
	trail []int64
	// selected is the object that "." follows; workload and row say where it is in the rollout.
	selected      trace.Object
	workload, row int
	player        player
	// predictions are the reader's; choice is the marked answer to the question at the cursor, and concealed says
	// that what comes after the cursor stays unseen because of it.
	predictions predictions
	choice      int
	concealed   bool
	theme       *theme.Theme

	rollout *pane.Rollout
	trace   *pane.Trace
	why     *pane.Why
	next    *pane.Next
	scrub   *pane.Scrub
	objects *pane.Objects
	loop    *pane.Loop
	queues  *pane.Queues
	math    *pane.Math
	stage   *pane.Stage
}

func newViewer(rec *recording.Recording, t *theme.Theme) *viewer {
	v := &viewer{
		rec: rec, theme: t, predictions: predictions{}, view: ViewRollout, player: newPlayer(),
		rollout: pane.NewRollout(rec, t), trace: pane.NewTrace(rec, t), why: pane.NewWhy(rec, t),
		next: pane.NewNext(rec, t), scrub: pane.NewScrub(rec, t), objects: pane.NewObjects(rec, t),
		loop: pane.NewLoop(rec, t), queues: pane.NewQueues(rec, t), math: pane.NewMath(rec, t),
		stage: pane.NewStage(rec, t),
	}
	if len(rec.Workloads()) == 0 {
		v.view = ViewTrace
	}
	v.list()
	v.move(v.firstOfStory())
	v.selectRow(0)
	return v
}

// firstOfStory is the first visible record at or after time zero: before it, the controllers start.
func (v *viewer) firstOfStory() int64 {
	for _, seq := range v.visible {
		if v.rec.At(seq) >= 0 {
			return seq
		}
	}
	return 1
}

// list finds the visible records anew.
func (v *viewer) list() {
	matches := parseFilter(v.filter)
	v.visible = nil
	for seq := int64(1); seq <= v.rec.Len(); seq++ {
		if (v.all || v.rec.Story(seq)) && matches(v.rec, seq) {
			v.visible = append(v.visible, seq)
		}
	}
	v.trace.SetVisible(v.visible)
	v.next.SetVisible(v.visible)
}

// move sets the cursor.
func (v *viewer) move(seq int64) {
	v.cursor = min(max(seq, 1), v.rec.Len())
	v.scroll = 0
	v.rollout.SetCursor(v.cursor)
	v.setNow(v.rec.At(v.cursor))
	v.trace.SetCursor(v.cursor)
	v.why.SetCursor(v.cursor)
	v.next.SetCursor(v.cursor)
	v.scrub.SetCursor(v.cursor)
	v.objects.SetCursor(v.cursor)
	v.loop.SetCursor(v.cursor)
	v.queues.SetCursor(v.cursor)
	v.math.SetCursor(v.cursor)
	v.stage.SetCursor(v.cursor)
}

// setNow lets time pass at a record.
func (v *viewer) setNow(at time.Duration) {
	v.player.head = at
	v.rollout.SetNow(at)
	v.queues.SetNow(at)
	v.stage.SetNow(at)
}

// jump moves far, and remembers from where.
func (v *viewer) jump(seq int64) {
	if seq == v.cursor {
		return
	}
	v.trail = append(v.trail, v.cursor)
	v.move(seq)
}

// seek goes to a time, and to the last visible record at or before it.
func (v *viewer) seek(at time.Duration) {
	i, _ := slices.BinarySearchFunc(v.visible, at+1, func(seq int64, at time.Duration) int {
		if v.rec.At(seq) < at {
			return -1
		}
		return 1
	})
	if i > 0 {
		v.move(v.visible[i-1])
		if at > v.player.head && i < len(v.visible) {
			v.setNow(at)
		}
	} else if len(v.visible) > 0 {
		v.move(v.visible[0])
	}
}

// selectRow selects a row of the rollout.
func (v *viewer) selectRow(row int) {
	v.rollout.Select(v.workload, row)
	v.math.Select(v.workload)
	v.stage.Select(v.workload, 0)
	rows := v.rollout.Rows()
	if len(rows) == 0 {
		return
	}
	v.row = min(max(row, 0), len(rows)-1)
	v.rollout.Select(v.workload, v.row)
	v.pick(rows[v.row])
}

func (v *viewer) pick(o trace.Object) {
	v.selected = o
	v.objects.Select(o)
}

// selectObject moves the selection in the list of objects.
func (v *viewer) selectObject(by int) {
	list := pane.Order(v.objects.List())
	if len(list) == 0 {
		return
	}
	at := slices.Index(list, v.selected)
	if at < 0 {
		at = 0
	} else {
		at = min(max(at+by, 0), len(list)-1)
	}
	v.pick(list[at])
	v.scroll = 0
}

// panels are the names of the panels that tab switches between.
func (v *viewer) panels(l Layout) []string {
	switch {
	case v.view == ViewObjects:
		return pane.Facets
	case v.view == ViewBranches:
		return nil
	case l.Breakpoint != Narrow && v.view == ViewRollout && v.computes():
		return []string{"Why", "Math"}
	case l.Breakpoint != Narrow:
		return nil
	case v.view == ViewTrace:
		return []string{"Why", "Next"}
	case v.view == ViewLoop:
		return []string{"Trace", "Next"}
	case v.view == ViewRollout && v.computes():
		return []string{"Why", "Math", "Trace", "Next"}
	}
	return []string{"Why", "Trace", "Next"}
}

// computes says whether the arithmetic of the workload that is shown can be shown as well.
func (v *viewer) computes() bool {
	workloads := v.rec.Workloads()
	return v.workload < len(workloads) && workloads[v.workload].Kind == "Deployment"
}
