package child

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child/internal/fresh"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/observe/digest"
)

// Maker makes the runs of one scenario that jobs ask for: with the faults that a job names or its seed draws, and the
// run without them.
type Maker struct {
	Scenario *format.Scenario
	Plan     *runner.Plan
	// Run makes one run. It may add to the options.
	Run func(*runner.Plan, runner.RunOptions) (*runner.Outcome, error)

	// Brought are the names of controllers that do not come with kubestep.
	Brought []string

	// Fork, if set, is called when the past of a job is over. It returns the job whose future this process is, or false if there is none.
	Fork func(Job) (Job, bool)
	// ForkOrders, if set, is called before each choice of a run with Orders, with those that it has made. It returns the job that this
	// process makes from now on, which begins with the same choices, or false if there is none.
	ForkOrders func(job Job, made []int) (Job, bool)
	// Disturb, if set, is called in the run without faults: it returns the faults that this process adds now, those of the job, which it
	// may replace by another one, or when to call it again; or neither, if nobody asks for more of the run.
	Disturb func(job *Job, now time.Duration) (faults []format.FaultRule, again time.Duration)
	// Last, if set, says how this process ends with the report of its run; nil if it has more to do. A process that was copied for one run
	// need not take the simulation down.
	Last func() (end func(*Report))
	// Joined, if set, is called with the report of a run that ends at a state that another one has been in, instead of coming to its end.
	Joined func(*Report)

	// known are the states at which a run with Orders ends, and straight are the runs with the default order, by their seeds.
	known    map[digest.Digest]bool
	straight map[int64]*Reporter
	// profile is what the faults of spaces can apply to; nil if no job asked for it.
	profile *space.Profile
	// compared are runs without faults: the last one of each kind, and those of otherSeeds. Jobs that differ in their faults only are
	// compared with the same run.
	compared map[comparedRun]*Reporter
	// alike are the states of the run without faults that a run with Late is compared with.
	alike *alike
	// laws is what jobs that ask for times have found; nil if there was none.
	laws *laws
}

// comparedRun is a run without faults with which others are compared.
type comparedRun struct {
	seed int64
	// added means that only the faults of the job are left out. Otherwise against are those of the scenario that are.
	added   bool
	against string
	// early means that the run ends as soon as nothing can change its verdict.
	early bool
}

// Report makes the run of a job, and if it asks for a comparison, the run without faults: without those that a space
// draws, or else without those of the scenario. The scenario of the job must be that of the Maker.
func (m *Maker) Report(job Job) (*Report, error) {
	if m.Disturb != nil && len(job.Late) > 0 && !job.Alone {
		return m.reportLate(job)
	}
	plan, drawn, err := m.draw(job)
	if err != nil {
		return Wrong(job.Seed, err)
	}
	reporter := m.reporter(job)
	reporter.Drew(drawn.Lines())
	if job.Orders != nil && job.SameEnd {
		return m.compareOrders(plan, reporter, job)
	}
	options := m.options(job, reporter)
	if m.Fork != nil && !job.Past.IsZero() && !job.Compare && !job.History {
		options.OnEnd = func(outcome *runner.Outcome) { m.last(reporter, outcome, nil) }
	}
	if job.Return && len(job.Late) > 0 {
		if err := m.learnAlike(job); err != nil {
			return nil, err
		}
		options.OnIdle, options.LateLines = m.returns(reporter), true
	}
	report, err := m.play(plan, reporter, options, job.Compare && m.isPerturbed(job, drawn))
	if err != nil || !report.Ended() || report.Returned > 0 {
		return report, err
	}
	return m.compare(job, reporter, report, drawn)
}

// reporter is that of the run of a job.
func (m *Maker) reporter(job Job) *Reporter {
	reporter := NewReporter(job.Seed, m.Scenario)
	reporter.varies, reporter.mayDiffer = job.Varies, exceptionsOf(m.Scenario)
	if job.History {
		reporter.users = fresh.NewUsers()
	}
	return reporter
}

// Begin returns the reporter of the run of a job that the caller makes, with the faults of the job. It adds to the options.
func (m *Maker) Begin(job Job, options *runner.RunOptions) *Reporter {
	reporter := m.reporter(job)
	options.Sinks = append(options.Sinks, reporter.Note)
	if job.History {
		options.OnStep = reporter.watchRests(m.Scenario)
	}
	return reporter
}

// Compare makes the runs that the run of a job, which came to its end, is compared with. drawn are the faults that were added to those of
// the scenario.
func (m *Maker) Compare(job Job, reporter *Reporter, outcome *runner.Outcome, drawn space.Drawn) (*Report, error) {
	return m.compare(job, reporter, reporter.End(outcome, job.Compare && m.isPerturbed(job, drawn)), drawn)
}

func (m *Maker) compare(job Job, reporter *Reporter, report *Report, drawn space.Drawn) (*Report, error) {
	var err error
	if job.Compare {
		report, err = m.compareFaults(job, reporter, report, drawn)
	}
	if err == nil && job.History && report.Result != runner.Diverged {
		return m.compareHistory(job, reporter, report, drawn)
	}
	return report, err
}

// last ends this process with the report of its run, if it has nothing else to do. compare, if set, judges the run by others, which have
// been made.
func (m *Maker) last(reporter *Reporter, outcome *runner.Outcome, compare func(*Report) (*Report, error)) {
	if m.Last == nil {
		return
	}
	end := m.Last()
	if end == nil {
		return
	}
	report := reporter.End(outcome, compare != nil)
	if compare != nil && report.Returned == 0 {
		var err error
		if report, err = compare(report); err != nil {
			panic("child: comparing with runs that have been made: " + err.Error())
		}
	}
	end(report)
}

// addsFaults reports whether a job has faults beside those of the scenario.
func addsFaults(job Job) bool { return len(job.Spaces) > 0 || len(job.Faults) > 0 }

// isPerturbed reports whether the run of a job has faults that the run without them leaves out: those that were drawn for it, or else
// those of the scenario.
func (m *Maker) isPerturbed(job Job, drawn space.Drawn) bool {
	if addsFaults(job) {
		return len(drawn.Rules) > 0
	}
	faults, steps := verb.CountFaults(m.Scenario, m.against(job))
	return faults+steps > 0
}

// compareFaults compares a run with the one without its faults. drawn are the faults that were added to those of the scenario.
func (m *Maker) compareFaults(job Job, reporter *Reporter, report *Report, drawn space.Drawn) (*Report, error) {
	added := addsFaults(job)
	switch {
	case !m.isPerturbed(job, drawn):
		report.Undecided = noFaults
		return report, nil
	case added && !reporter.course.IsFaulty():
		// The other run would be the same.
		report.Undecided = noneActed
		return reporter.Against(reporter), nil
	}
	without, why, err := m.without(job, added)
	if err != nil || without == nil {
		report.Undecided = why
		return report, err
	}
	if added && reporter.withoutOwnChecks() {
		report.Undecided = stepRejected
		return report, nil
	}
	if !job.SameEnd {
		return reporter.Against(without), nil
	}
	err = reporter.compareEnds(without, func(seed int64) (*Reporter, error) {
		job := job
		job.Seed = seed
		other, _, err := m.without(job, added)
		return other, err
	})
	return reporter.Against(without), err
}

// options are those of the run of a job.
func (m *Maker) options(job Job, reporter *Reporter) runner.RunOptions {
	options := runner.RunOptions{Seed: &job.Seed, EndEarly: job.EndEarly, Order: m.orderOf(job, reporter)}
	if job.History {
		options.OnStep = reporter.watchRests(m.Scenario)
	}
	if job.Past.IsZero() {
		return options
	}
	options.Seed = &job.Past.Seed
	options.LastFuture = func() (int64, bool) {
		if m.Fork == nil || job.Alone {
			return job.Seed, true
		}
		mine, wanted := m.Fork(job)
		reporter.report.Seed = mine.Seed
		return mine.Seed, wanted
	}
	return options
}

// without makes the run without faults. added means that only those of the job are left out: what the scenario itself does
// to the cluster, such as a node that fails, belongs to both runs. The result is nil if the run does not come to its end, and why says so.
func (m *Maker) without(job Job, added bool) (without *Reporter, why string, err error) {
	run := comparedRun{job.Seed, added, "", job.EndEarly}
	if !added {
		run.against = strings.Join(job.Against, " ")
	}
	if known := m.compared[run]; known != nil {
		return known, "", nil
	}
	plan := m.Plan
	options := runner.RunOptions{Seed: &job.Seed, EndEarly: job.EndEarly, NoLines: true, WithoutFaults: m.against(job)}
	if added {
		plan, options.WithoutFaults = space.Drawn{}.Plan(m.Plan), nil
	}
	without = NewReporter(job.Seed, m.Scenario)
	switch control, err := m.play(plan, without, options, true); {
	case err != nil:
		return nil, "", err
	case control.Wrong:
		return nil, endlessToo + ": " + control.Message, nil
	case control.Halt != nil:
		return nil, endlessToo + ": " + control.Halt.Message, nil
	}
	if m.compared == nil {
		m.compared = map[comparedRun]*Reporter{}
	}
	maps.DeleteFunc(m.compared, func(known comparedRun, _ *Reporter) bool {
		replaces := known.added == added && !slices.Contains(otherSeeds, job.Seed)
		return replaces && !slices.Contains(otherSeeds, known.seed)
	})
	m.compared[run] = without
	return without, "", nil
}

// against are the faults of the scenario that the run without faults leaves out. A scenario without the ones that the job names has none.
func (m *Maker) against(job Job) verb.FaultChoice {
	choice, err := verb.ChooseFaults(m.Scenario, job.Against...)
	if err != nil {
		return nil
	}
	return choice
}

// draw is the plan of a job with its faults, and with those that its seed draws.
func (m *Maker) draw(job Job) (*runner.Plan, space.Drawn, error) {
	named := space.Drawn{Rules: job.Faults, AtPlaces: len(job.Late) > 0}
	spaces, err := space.Named(job.Spaces)
	switch {
	case err != nil:
		return nil, named, err
	case len(spaces) == 0 && len(named.Rules) == 0:
		return m.Plan, named, nil
	case len(spaces) == 0:
		named.Rules = withoutOmitted(job, named.Rules)
		return named.Plan(m.Plan), named, nil
	}
	if m.profile == nil {
		m.profile, err = space.Look(func(options runner.RunOptions) (*runner.Outcome, error) { return m.Run(m.Plan, options) })
		if err != nil {
			return nil, space.Drawn{}, err
		}
	}
	drawn := space.Draw(spaces, m.profile, job.Seed)
	drawn.Rules = slices.Concat(named.Rules, withoutOmitted(job, drawn.Rules))
	return drawn.Plan(m.Plan), drawn, nil
}

// withoutOmitted leaves out faults that a job omits.
func withoutOmitted(job Job, rules []format.FaultRule) (kept []format.FaultRule) {
	for i, rule := range rules {
		if !slices.Contains(job.Omit, i) {
			kept = append(kept, rule)
		}
	}
	return kept
}

// Draws reports the faults that the seed of a job draws, and makes no run with them.
func (m *Maker) Draws(job Job) (*Report, error) {
	_, drawn, err := m.draw(job)
	if err != nil {
		return Wrong(job.Seed, err)
	}
	return &Report{Seed: job.Seed, Result: runner.Pass, Drawn: drawn.Rules}, nil
}

// Text is the file of the scenario with the faults of a job.
func (m *Maker) Text(job Job) ([]byte, error) {
	_, drawn, err := m.draw(job)
	if err != nil || len(drawn.Rules) == 0 {
		return m.Scenario.Source(), err
	}
	return drawn.Text(m.Scenario)
}

// play makes one run. compares keeps what a comparison needs.
func (m *Maker) play(plan *runner.Plan, reporter *Reporter, options runner.RunOptions, compares bool) (*Report, error) {
	options.Sinks = append(options.Sinks, reporter.Note)
	outcome, err := m.Run(plan, options)
	switch halt, try := HaltOf(err); {
	case halt != nil:
		return reporter.Halted(halt, try), nil
	case err != nil:
		return Wrong(reporter.report.Seed, err)
	}
	return reporter.End(outcome, compares), nil
}
