package command

import (
	"fmt"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// progress is how far something with many runs is: how many are done, and how many in the elapsed time of how much is left.
type progress struct {
	done, left int
	elapsed    time.Duration
	// spent is the processor time of the runs, and budget bounds it; 0 means no bound.
	spent, budget time.Duration
}

// pace is how many runs are done in a second, and when the last one is: the budget may be spent before that.
func (p progress) pace() string {
	rate := float64(p.done) / p.elapsed.Seconds()
	text := fmt.Sprintf("%.1f per second", rate)
	switch {
	case p.done == 0:
		return text
	case p.budget > 0:
		return fmt.Sprintf("%s, %.1fs of the budget of %s", text, p.spent.Seconds(), p.budget)
	}
	return text + ", done in " + time.Duration(float64(p.left)/rate*float64(time.Second)).Round(time.Second).String()
}

// sweepProgress is the line that tells how far a sweep is.
func sweepProgress(p progress, failing int, unit string) string {
	return fmt.Sprintf("%d of %s, %d failed, %s", p.done, trace.Count(p.done+p.left, unit), failing, p.pace())
}

// ordersProgress is the line that tells how far an enumeration of orders is: each run can show further ones, but for the last level.
func ordersProgress(p progress, more bool) string {
	if !more {
		return fmt.Sprintf("%s, %d left, %s", trace.Count(p.done, "run"), p.left, p.pace())
	}
	text := fmt.Sprintf("%s, at least %d left, %s", trace.Count(p.done, "run"), p.left, p.pace())
	if p.budget == 0 && p.done > 0 {
		text += " at the earliest"
	}
	return text
}
