package runner

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/kubestep/kubestep/scenarios/language/expr"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/trace"
)

// One evaluation of a condition is bounded (package expr), but a scenario may have many conditions, and evaluates them
// after every write. So their work is bounded after one write, and in a run. It is counted in items, as in package expr:
// a machine does about ten million a second.
const (
	// workPerWrite keeps a write far below the time after which a run counts as frozen.
	workPerWrite = 20_000_000
	// workPerRun is what takes half an hour.
	workPerRun = 20_000_000_000
)

// errOverBudget ends an evaluation after the checks have used what they may. The run ends, and says why.
var errOverBudget = errors.New("not evaluated: the conditions take too much work")

// eval evaluates a condition within the budget.
func (r *run) eval(c *expr.Condition) (expr.Result, error) { return r.budgeted(c, c.Eval) }

func (r *run) budgeted(c *expr.Condition, evaluate func(expr.World) (expr.Result, error)) (expr.Result, error) {
	if r.overBudget != nil {
		return expr.Result{}, errOverBudget
	}
	if r.writes.count != r.workAt {
		r.workAt, r.workNow = r.writes.count, 0
	}
	before := c.Cost().Total
	result, err := evaluate(r)
	done := c.Cost().Total - before
	r.workNow += done
	r.work += done
	limit := cmp.Or(r.workLimit, workPerRun)
	switch {
	case errors.Is(err, expr.ErrTooMuch):
		r.exceed(c, "takes too much work in one evaluation: it goes through more than %s", count(expr.MaxWork))
	case r.workNow > workPerWrite:
		worst := r.mostExpensive(func(cost expr.Cost) uint64 { return cost.Last })
		r.exceed(worst, "the conditions take too much work: after the write at %s, they have gone through more than %s; "+
			"this one takes most, %s", trace.Seconds(r.writes.last), count(workPerWrite), count(worst.Cost().Last))
	case r.work > limit:
		worst := r.mostExpensive(func(cost expr.Cost) uint64 { return cost.Total })
		r.exceed(worst, "the conditions take too much work: until %s, they have gone through more than %s; "+
			"this one takes most, %s in %s", trace.Seconds(r.Now()), count(limit), count(worst.Cost().Total),
			trace.Count(worst.Cost().Evaluations, "evaluation"))
	}
	if r.overBudget != nil {
		return expr.Result{}, errOverBudget
	}
	return result, err
}

// exceed ends the run because of a condition.
func (r *run) exceed(c *expr.Condition, format string, args ...any) {
	const try = "a condition that goes through fewer objects, or from and until to evaluate it after fewer writes"
	path := ""
	for _, at := range slices.Sorted(maps.Keys(r.conditions)) {
		if r.conditions[at] == c {
			path = at
		}
	}
	r.overBudget = r.scenario.Errorf(path, try, format, args...)
	r.failure = r.overBudget
	r.sim.Engine.Stop()
}

// mostExpensive is the condition that costs most; of several, the first in the file.
func (r *run) mostExpensive(cost func(expr.Cost) uint64) *expr.Condition {
	var worst *expr.Condition
	var at source.Position
	for _, path := range slices.Sorted(maps.Keys(r.conditions)) {
		c, position := r.conditions[path], r.scenario.Position(path)
		earlier := position.Line < at.Line || position.Line == at.Line && position.Column < at.Column
		if worst == nil || cost(c.Cost()) > cost(worst.Cost()) || cost(c.Cost()) == cost(worst.Cost()) && earlier {
			worst, at = c, position
		}
	}
	return worst
}

// count writes a large number of items in words that people compare: 1.7 million items.
func count(items uint64) string {
	switch {
	case items >= 1_000_000_000:
		return strconv.FormatFloat(float64(items)/1e9, 'g', 3, 64) + " billion items"
	case items >= 1_000_000:
		return strconv.FormatFloat(float64(items)/1e6, 'g', 3, 64) + " million items"
	}
	return trace.Count(int64(items), "item")
}
