package child

import (
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/runner/order"
)

// A controller works towards what its objects want, in whatever order it hears of them. So a run with another order of events ends with the
// same objects as the run with the default order, and not much later; if it does not, it has diverged, or is late.

// compareOrders makes the run of a job, and compares its end with that of the default order, in which all choices are 0. That run is made
// before, so that copies of the process have it. A run that joins another one ends as that one does.
func (m *Maker) compareOrders(plan *runner.Plan, reporter *Reporter, job Job) (*Report, error) {
	var straight *Reporter
	if isDefault := len(job.Orders.Choices) == 0; !isDefault {
		var err error
		if straight, err = m.inDefaultOrder(plan, job.Seed); err != nil {
			return nil, err
		}
	}
	report, err := m.play(plan, reporter, m.options(job, reporter), true)
	if err != nil || straight == nil || report.Joined || !report.Ended() {
		return report, err
	}
	if report.Undecided = reporter.incomparable(straight); report.Undecided != "" {
		return report, nil
	}
	err = reporter.compareWith(straight, func(seed int64) (*Reporter, error) { return m.inDefaultOrder(plan, seed) })
	if err != nil {
		return nil, err
	}
	message, late := reporter.course.LateInOrder(straight.course)
	switch {
	case len(reporter.diverged) > 0:
		reporter.diverge(SameEnd, inOrder)
	case report.Result == runner.Pass && late:
		reporter.late(message)
	}
	return report, nil
}

// inDefaultOrder makes the run of a seed in which all choices are 0; nil if it does not come to its end.
func (m *Maker) inDefaultOrder(plan *runner.Plan, seed int64) (*Reporter, error) {
	if known := m.straight[seed]; known != nil {
		return known, nil
	}
	straight := NewReporter(seed, m.Scenario)
	straight.mayDiffer = exceptionsOf(m.Scenario)
	options := runner.RunOptions{Seed: &seed, EndEarly: true, NoLines: true, Order: &order.Order{}}
	if report, err := m.play(plan, straight, options, true); err != nil || !report.Ended() {
		return nil, err
	}
	if m.straight == nil {
		m.straight = map[int64]*Reporter{}
	}
	m.straight[seed] = straight
	return straight, nil
}
