package tui

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/remote"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// header says what is played, where the reader is, and what there is to see before and behind.
func (m *Model) header(l views.Layout) []string {
	v, t := m.viewer, m.theme
	name := t.Title.Render(v.Rec.Name)
	var top string
	switch {
	case m.present:
		// All that a room needs to know.
		top = frame.Fit("  "+t.Title.Render(v.Rec.Title), l.Header.W)
	case m.branches.shown > 0:
		top = frame.Ends(" "+name+t.Now.Render("  branch: ")+v.Rec.Title, t.Dim.Render(v.about(t, l.Header.W, true)), l.Header.W)
	default:
		about := t.Dim.Render(v.about(t, l.Header.W, false))
		if reading := m.reading(); reading != "" {
			about = t.Now.Render(reading)
		} else if m.controls() {
			about = t.Now.Render(m.aboutSession())
		}
		top = frame.Ends(" "+name+"  "+v.Rec.Title, about, l.Header.W)
	}
	return append([]string{top}, m.timeline(l)...)
}

// timeline is the bar of time between the clock and the count, and where there is room the names of the steps below it.
func (m *Model) timeline(l views.Layout) []string {
	v, t := m.viewer, m.theme
	bar := v.bar(l)
	lines := pane.Draw(pane.Scrub{}, v.Moment, pane.Canvas{Theme: t, Width: bar.W, Height: bar.H}, "")
	out := []string{m.clock() + lines[0] + v.count(t, l.Header.W)}
	if len(lines) > 1 {
		out = append(out, frame.Fit(strings.Repeat(" ", bar.X)+lines[1], l.Header.W))
	}
	return out
}

// about says which run it is and how it ended.
func (v *viewer) about(t *theme.Theme, width int, branch bool) string {
	text := ""
	if v.Rec.Cut != "" {
		text = t.Failed.Render("incomplete") + " · "
	}
	verdict := pane.Verdict(v.Rec, t, branch)
	switch {
	case v.Rec.Ran:
		text += fmt.Sprintf("%s · seed %d", verdict, v.Rec.Seed)
		for record := range v.Rec.Of(trace.KindFuture) {
			text += fmt.Sprintf(", then %d", record.Future.Seed)
		}
		text += " · "
	case verdict != "":
		text += verdict + " · "
	}
	if whole := v.Rec.Whole; whole != nil {
		text += "read until " + trace.Seconds(v.Rec.At(v.Rec.Len()))
		if whole.End > 0 {
			text += " of " + trace.Seconds(whole.End)
		}
		text += " "
	} else if width >= 80 {
		text += "trace " + shortHash(v.Rec.Hash) + " "
	} else {
		text = strings.TrimSuffix(text, "· ")
	}
	if len(v.Rec.OpenOrder) > 0 {
		text = "order open · " + text
	}
	return text
}

// shortHash is enough of a trace hash to tell two runs apart at a glance.
func shortHash(hash string) string {
	hash = strings.TrimPrefix(hash, "sha256:")
	return hash[:min(len(hash), 8)]
}

// clockWidth is how many cells the clock has.
const clockWidth = 25

// clock is the virtual time, and whether it passes.
func (m *Model) clock() string {
	v, state := m.viewer, "▮▮ "
	if v.player.playing {
		state = "▶  "
	}
	state += v.pace()
	if m.controls() && m.live.Follow {
		state = remote.Clock(m.live.State)
	}
	return m.theme.Now.Render(frame.Right(trace.Seconds(v.Now), 10)) + "  " + frame.Fit(state, clockWidth-13) + " "
}

// count says which record of how many the cursor is at.
func (v *viewer) count(t *theme.Theme, width int) string {
	return t.Dim.Render(frame.Right(fmt.Sprintf(countFormat(width), v.Seq, v.total()), v.countWidth(width)))
}

func (v *viewer) countWidth(width int) int {
	return len("  " + fmt.Sprintf(countFormat(width), v.total(), v.total()))
}

// total is how many records the trace has, as far as that is known.
func (v *viewer) total() int64 {
	if whole := v.Rec.Whole; whole != nil {
		return max(whole.Records, v.Rec.Len())
	}
	return v.Rec.Len()
}

// countFormat leaves the room of a narrow terminal to the bar.
func countFormat(width int) string {
	if width < views.WideWidth {
		return "%d of %d "
	}
	return "record %d of %d "
}

// bar is where the bar of time is, between the clock and the count.
func (v *viewer) bar(l views.Layout) views.Rect {
	if l.Breakpoint == views.TooSmall {
		return views.Rect{}
	}
	return views.Rect{X: clockWidth, Y: l.Header.Y + 1, W: max(l.Header.W-clockWidth-v.countWidth(l.Header.W), 4), H: l.Header.H - 1}
}
