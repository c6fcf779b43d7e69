package child

import (
	"slices"

	"github.com/kubestep/kubestep/scenarios/explore/child/internal/fresh"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// A controller works towards what its objects want, from whatever state it finds. So the past does not matter: a run ends with the same
// objects as one that only creates what users want at its end, in an empty cluster. Otherwise, it has diverged.

// Reasons why a run cannot be compared with one without its past.
const (
	freshFails    = "what users want at the end cannot be created at once"
	freshRestless = "the run from an empty cluster does not come to rest"
)

// compareHistory makes the runs without the past, and notes in what the run diverged from all of them.
func (m *Maker) compareHistory(job Job, reporter *Reporter, report *Report) (*Report, error) {
	if !report.Rests {
		report.HistoryUndecided = restless
		return report, nil
	}
	text, reason, err := reporter.users.Scenario(m.Scenario, reporter.objects)
	if err != nil || reason != "" {
		report.HistoryUndecided = string(reason)
		return report, err
	}
	scenario, err := format.Parse(m.Scenario.Path(), text, verb.All)
	if err != nil {
		report.HistoryUndecided = freshFails + ": " + err.Error()
		return report, nil
	}
	plan, err := runner.Prepare(scenario, m.Brought...)
	if err != nil {
		report.HistoryUndecided = freshFails + ": " + err.Error()
		return report, nil
	}
	exceptions := slices.Concat(compare.ExceptionsTo(reporter.course), compare.HistoryExceptions, reporter.mayDiffer)
	var left []compare.FinalPair
	for i, seed := range append([]int64{job.Seed}, otherSeeds...) {
		other, why, err := m.runFresh(plan, scenario, reporter, seed, job.EndEarly)
		switch {
		case err != nil:
			return report, err
		case why != "":
			report.HistoryUndecided = why
			return report, nil
		}
		pairs := other.traits.Compare(reporter.traits)
		differs := reporter.withoutVarying(compare.Except(pairs, exceptions))
		if i == 0 {
			for _, pair := range compare.Settled(pairs) {
				report.HistoryEnds = append(report.HistoryEnds, endText(pair, fromEmpty))
			}
			left = differs
		} else {
			left = compare.Common(left, differs)
		}
		if len(left) == 0 {
			return report, nil
		}
		if excuse := reporter.users.Excuse(reporter.objects, other.objects); excuse != "" {
			report.HistoryUndecided = string(excuse)
			return report, nil
		}
	}
	reporter.diverged = left
	reporter.diverge(NoHistory, fromEmpty)
	return report, nil
}

// runFresh makes a run without the past, or says why it is none.
func (m *Maker) runFresh(plan *runner.Plan, scenario *format.Scenario, of *Reporter, seed int64, early bool,
) (other *Reporter, why string, err error) {
	other = NewReporter(seed, scenario)
	other.finder = of.finder.Again()
	other.users = fresh.NewUsers()
	options := runner.RunOptions{Seed: &seed, EndEarly: early, NoLines: true}
	options.Sinks = append(options.Sinks, other.Note)
	outcome, err := m.Run(plan, options)
	switch halt, _ := HaltOf(err); {
	case halt != nil:
		return nil, freshFails + ": " + halt.Message, nil
	case err != nil:
		return nil, "", err
	case outcome.Error != "":
		return nil, freshFails + ": " + outcome.Error, nil
	case !outcome.Rests:
		return nil, freshRestless, nil
	}
	other.End(outcome, false)
	return other, "", nil
}
