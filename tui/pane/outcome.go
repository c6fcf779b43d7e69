package pane

import (
	"strconv"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
)

// outcome are the columns of what came of a run for the workload that is shown, from its start to its end.
func (m Moment) outcome(run, width int) string {
	at, rec := m.of(run), m.Runs[run].Rec
	at.Seq, at.Now = rec.Len(), rec.At(rec.Len())
	w, s := at.state()
	if w == nil {
		return ""
	}
	o, ok := w.Outcome(s.Replicas)
	switch {
	case !ok:
		return columns(width, "-", "-", "-")
	case !o.Full:
		return columns(width, trace.Seconds(o.Ends), "-", strconv.Itoa(o.Most))
	}
	return columns(width, trace.Seconds(o.Ends), strconv.Itoa(o.Least), strconv.Itoa(o.Most))
}

// headings are those of the columns of outcomes.
func headings(width int) string {
	if width < twoRollouts {
		return columns(width, "ends", "least", "most")
	}
	return columns(width, "ends", "least available", "most Pods")
}

func columns(width int, ends, least, most string) string {
	const endsWidth, narrow, wide = 10, 7, 17
	count := wide
	if width < twoRollouts {
		count = narrow
	}
	return frame.Right(ends, endsWidth) + frame.Right(least, count) + frame.Right(most, count)
}
