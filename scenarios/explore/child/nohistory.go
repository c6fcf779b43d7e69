package child

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child/internal/fresh"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim"
)

// A controller works towards what its objects want, from whatever state it finds. So the past does not matter: when a run is at rest, it
// has the same objects as one that only creates what users want then, in an empty cluster. Otherwise, it has diverged. It is asked at its
// end, and before steps: a later step may mend what came to a standstill before.

// restsMax is how many rests before steps are compared, the first ones. Each costs a run, and three more if there is a difference.
const restsMax = 8

// Reasons why a run cannot be compared with one without its past.
const (
	freshFails    = "what users want at the end cannot be created at once"
	freshRestless = "the run from an empty cluster does not come to rest"
)

// rest is what a run has while it is at rest.
type rest struct {
	at time.Duration
	// step is the index of the step that begins then, -1 at the end, and before are those before it.
	step   int
	before []format.Step
	// text is the scenario that only creates what users want then. If there is none, reason says why.
	text   []byte
	reason string
	traits compare.End
	// excuse is why a difference says nothing.
	excuse     fresh.Reason
	exceptions []compare.Exception
}

// watchRests notes what the run has when it is at rest and a step begins.
func (r *Reporter) watchRests(scenario *format.Scenario) func(int, bool, *sim.State) {
	until := *scenario
	until.Spec.Steps = nil
	return func(step int, rests bool, state *sim.State) {
		if rests && len(until.Spec.Steps) > 0 {
			r.addRest(r.restAt(&until, step, state))
		}
		until.Spec.Steps = append(slices.Clone(until.Spec.Steps), scenario.Spec.Steps[step])
	}
}

// addRest keeps a rest, instead of one before it at which users wanted the same, and not more of them than are compared.
func (r *Reporter) addRest(now rest) {
	n := len(r.rests)
	same := now.reason == "" && bytes.Equal(r.lastRest, now.text)
	r.lastRest = now.text
	switch {
	case now.reason != "":
	case same && r.report.HistoryLeftOut == 0:
		r.rests[n-1] = now
	case same:
	case n < restsMax:
		r.rests = append(r.rests, now)
	default:
		r.report.HistoryLeftOut++
	}
}

// restAt is what there is now. The scenario has the steps so far.
func (r *Reporter) restAt(scenario *format.Scenario, step int, state *sim.State) rest {
	objects := objectsOf(state)
	now := rest{at: r.settled, step: step, before: scenario.Spec.Steps, excuse: r.users.Excuse(objects)}
	text, reason, err := r.users.Scenario(scenario, objects)
	if now.text, now.reason = text, string(reason); err != nil {
		now.reason = freshFails + ": " + err.Error()
	}
	now.traits = r.finder.EndAsNamed(objects)
	now.exceptions = slices.Concat(compare.ExceptionsTo(r.course), compare.HistoryExceptions, r.mayDiffer)
	return now
}

// compareHistory makes the runs without the past, and notes in what the run diverged from all of them: at the first rest at which it did.
func (m *Maker) compareHistory(job Job, reporter *Reporter, report *Report, drawn space.Drawn) (*Report, error) {
	for _, now := range reporter.rests {
		if report.Rests && bytes.Equal(now.text, reporter.atEnd.text) {
			continue
		}
		c, err := m.compareRest(job, reporter, now)
		if err == nil && len(c.diverged) > 0 {
			c, err = m.confirmRest(job, reporter, now, c, drawn)
		}
		switch {
		case err != nil:
			return report, err
		case len(c.diverged) > 0:
			return reporter.divergeAt(now, c), nil
		case c.undecided == "":
			report.HistoryRests++
		}
	}
	if !report.Rests {
		report.HistoryUndecided = restless
		return report, nil
	}
	c, err := m.compareRest(job, reporter, reporter.atEnd)
	if err == nil && len(c.diverged) > 0 {
		return reporter.divergeAt(reporter.atEnd, c), nil
	}
	report.HistoryEnds, report.HistoryUndecided = c.ends, c.undecided
	return report, err
}

// divergeAt is the verdict of a run that diverged at a rest.
func (r *Reporter) divergeAt(now rest, c historyComparison) *Report {
	r.diverged, r.report.HistoryEnds = c.diverged, c.ends
	r.diverge(NoHistory, fromEmpty)
	if now.step >= 0 {
		failure := &r.report.Failures[len(r.report.Failures)-1]
		failure.At, failure.Message = now.at, fmt.Sprintf("at rest before %s: %s", format.StepPath(now.step), failure.Message)
	}
	return &r.report
}

// historyComparison is how what a run has at a rest differs from what a run without the past makes.
type historyComparison struct {
	// diverged is what differs, and is no exception, ends all that differs, in words, and undecided why nothing can be said.
	diverged  []compare.FinalPair
	ends      []string
	undecided string
}

// compareRest makes the runs without the past of a rest.
func (m *Maker) compareRest(job Job, reporter *Reporter, now rest) (c historyComparison, err error) {
	if now.reason != "" {
		return historyComparison{undecided: now.reason}, nil
	}
	scenario, err := format.Parse(m.Scenario.Path(), now.text, verb.All)
	if err != nil {
		return historyComparison{undecided: freshFails + ": " + err.Error()}, nil
	}
	plan, err := runner.Prepare(scenario, m.Brought...)
	if err != nil {
		return historyComparison{undecided: freshFails + ": " + err.Error()}, nil
	}
	for i, seed := range append([]int64{job.Seed}, otherSeeds...) {
		other, why, err := m.runFresh(plan, scenario, reporter, seed, job.EndEarly)
		if err != nil || why != "" {
			return historyComparison{undecided: why}, err
		}
		pairs := other.traits.Compare(now.traits)
		differs := reporter.withoutVarying(compare.Except(pairs, now.exceptions))
		if i == 0 {
			for _, pair := range compare.Settled(pairs) {
				c.ends = append(c.ends, endText(pair, fromEmpty))
			}
			c.diverged = differs
		} else {
			c.diverged = compare.Common(c.diverged, differs)
		}
		if len(c.diverged) == 0 {
			return c, nil
		}
		if excuse := cmp.Or(now.excuse, other.excuse); excuse != "" {
			return historyComparison{ends: c.ends, undecided: string(excuse)}, nil
		}
	}
	return c, nil
}

// confirmRest makes the run with the steps before a rest alone, and keeps what its end differs in, too. At the rest, a controller may be
// waiting: a Pod that is Ready is available only after minReadySeconds, and one that tolerates a taint for five minutes goes later.
func (m *Maker) confirmRest(job Job, reporter *Reporter, now rest, c historyComparison, drawn space.Drawn) (historyComparison, error) {
	scenario := *m.Scenario
	scenario.Spec.Steps = now.before
	text, err := scenario.Encode()
	if err != nil {
		return c, err
	}
	alone := &Maker{Run: m.Run, Brought: m.Brought}
	if alone.Scenario, err = format.Parse(m.Scenario.Path(), text, verb.All); err != nil {
		return historyComparison{undecided: restless + ": " + err.Error()}, nil
	}
	if alone.Plan, err = runner.Prepare(alone.Scenario, m.Brought...); err != nil {
		return historyComparison{undecided: restless + ": " + err.Error()}, nil
	}
	plan := alone.Plan
	if len(drawn.Rules) > 0 {
		plan = drawn.Plan(plan)
	}
	again := alone.reporter(job)
	report, err := alone.play(plan, again, runner.RunOptions{Seed: &job.Seed, EndEarly: job.EndEarly, NoLines: true}, false)
	switch {
	case err != nil:
		return c, err
	case !report.Ended() || !report.Rests:
		return historyComparison{undecided: restless}, nil
	}
	atEnd, err := alone.compareRest(job, again, again.atEnd)
	c.diverged = compare.Common(c.diverged, atEnd.diverged)
	return c, err
}

// runFresh makes a run without the past, or says why it is none.
func (m *Maker) runFresh(plan *runner.Plan, scenario *format.Scenario, of *Reporter, seed int64, early bool,
) (other *freshRun, why string, err error) {
	reporter := NewReporter(seed, scenario)
	reporter.finder = of.finder.Again()
	reporter.users = fresh.NewUsers()
	options := runner.RunOptions{Seed: &seed, EndEarly: early, NoLines: true}
	options.Sinks = append(options.Sinks, reporter.Note)
	outcome, err := m.Run(plan, options)
	switch halt, _ := HaltOf(err); {
	case halt != nil:
		return nil, freshFails + ": " + halt.Message, nil
	case err != nil:
		// The API server may refuse an object: another cluster has it from the start.
		wrong, err := Wrong(seed, err)
		if err != nil {
			return nil, "", err
		}
		return nil, freshFails + ": " + wrong.Message, nil
	case outcome.Error != "":
		return nil, freshFails + ": " + outcome.Error, nil
	case !outcome.Rests:
		return nil, freshRestless, nil
	}
	objects := objectsOf(outcome.State)
	return &freshRun{reporter.finder.EndAsNamed(objects), reporter.users.Excuse(objects)}, "", nil
}

// freshRun is what a run without the past ended with.
type freshRun struct {
	traits compare.End
	excuse fresh.Reason
}
