package pane

import (
	"strconv"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// outcome are the columns of what came of a run for the workload that is shown, from its start to its end, and of when it diverges
// from its parent.
func (m Moment) outcome(run, width int) string {
	at, rec := m.of(run), m.Runs[run].Rec
	at.Seq, at.Now = rec.Len(), rec.At(rec.Len())
	w, s := at.state()
	diverges := "-"
	if first := m.Runs[run].Diverged; first != 0 {
		diverges = trace.Seconds(rec.At(first))
	}
	if w == nil {
		return columns(width, diverges, "-", "-", "-")
	}
	o, ok := w.Outcome(s.Replicas)
	switch {
	case !ok:
		return columns(width, diverges, "-", "-", "-")
	case !o.Full:
		return columns(width, diverges, trace.Seconds(o.Ends), "-", strconv.Itoa(o.Most))
	}
	return columns(width, diverges, trace.Seconds(o.Ends), strconv.Itoa(o.Least), strconv.Itoa(o.Most))
}

// headings are those of the columns of outcomes.
func headings(width int) string {
	if width < twoRollouts {
		return columns(width, "diverges", "ends", "least", "most")
	}
	return columns(width, "diverges", "ends", "least avail.", "most Pods")
}

// divergesFrom is the width from which on there is room for the time of the divergence, which the name of most branches begins with.
const divergesFrom = 70

func columns(width int, diverges, ends, least, most string) string {
	const times, narrow, wide = 10, 7, 14
	count := wide
	if width < twoRollouts {
		count = narrow
	}
	text := frame.Right(ends, times) + frame.Right(least, count) + frame.Right(most, count)
	if width >= divergesFrom {
		text = frame.Right(diverges, times) + text
	}
	return text
}
