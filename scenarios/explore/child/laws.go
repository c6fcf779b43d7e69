package child

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/reading/law"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// laws are the times of a scenario, and what is known of its runs.
type laws struct {
	times []*law.Time
	// runs are those with the times of the scenario, by their seeds.
	runs map[int64]*lawRun
}

// lawRun is a run with one length of each time. undecided is why it cannot be compared, if it cannot.
type lawRun struct {
	look      *law.Look
	end       compare.End
	undecided string
}

// Times lists the times of the scenario.
func (m *Maker) Times(job Job) (*Report, error) {
	if err := m.findTimes(); err != nil {
		return Wrong(job.Seed, err)
	}
	return &Report{Seed: job.Seed, Name: m.Scenario.Metadata.Name, Result: runner.Pass, Times: m.laws.times}, nil
}

func (m *Maker) findTimes() (err error) {
	if m.laws == nil {
		m.laws = &laws{runs: map[int64]*lawRun{}}
		m.laws.times, err = law.Find(m.Scenario)
	}
	return err
}

// Law makes the runs with half of a time and with twice the time, and compares them with the run of the scenario.
func (m *Maker) Law(job Job) (*Report, error) {
	if err := m.findTimes(); err != nil {
		return Wrong(job.Seed, err)
	}
	t := m.laws.times[job.Law-1]
	report := &Report{Seed: job.Seed, Name: m.Scenario.Metadata.Name, Result: runner.Pass}
	f := &law.Finding{Time: *t, Sentence: t.Field.Sentence}
	for _, length := range []time.Duration{(t.Value / 2).Truncate(time.Second), 2 * t.Value} {
		try, runs, err := m.tryLength(job.Seed, t, length)
		if err != nil {
			return report, err
		}
		report.Runs += runs
		f.Tries = append(f.Tries, try)
	}
	f.Conclude()
	report.Finding = f
	return report, nil
}

// tryLength compares the run with another length of a time. What is wrong must be so with other seeds, too.
func (m *Maker) tryLength(seed int64, t *law.Time, length time.Duration) (try law.Try, runs int, err error) {
	try.Length = length
	text, err := t.Change(m.Scenario, m.laws.times, length)
	if err != nil {
		return try, 0, err
	}
	var shift law.Shift
	for i, seed := range append([]int64{seed}, otherSeeds...) {
		before, err := m.baseRun(seed)
		if err != nil {
			return try, runs, err
		}
		after, err := m.lawRun(text, seed)
		if err != nil {
			return try, runs, err
		}
		runs++
		if before.undecided != "" {
			try.Verdict, try.Message = law.Undecided, before.undecided
			return try, runs, nil
		}
		if after.undecided != "" {
			try.Verdict, try.Message = law.Undecided, "with the other length, "+after.undecided
			return try, runs, nil
		}
		this := m.judge(t, length, before, after)
		if i == 0 {
			shift = this
		} else {
			shift = shift.And(this)
		}
		if !shift.Breaks(t) {
			break
		}
		try.Seeds = i + 1
	}
	m.conclude(&try, t, shift)
	return try, runs, nil
}

// judge compares a run with one that has another length of a time.
func (m *Maker) judge(t *law.Time, length time.Duration, before, after *lawRun) law.Shift {
	var shift law.Shift
	if length < t.Value {
		shift = law.Judge(t, length, t.Value, after.look, before.look)
	} else {
		shift = law.Judge(t, t.Value, length, before.look, after.look)
	}
	exceptions := slices.Concat(compare.ExceptionsTo(after.look.Course()), law.Exceptions(t), exceptionsOf(m.Scenario))
	shift.Ends = compare.Except(before.end.Compare(after.end), exceptions)
	return shift
}

// conclude is the verdict of a length.
func (m *Maker) conclude(try *law.Try, t *law.Time, shift law.Shift) {
	try.Waiting = shift.Waiting
	for _, pair := range shift.Ends {
		try.Ends = append(try.Ends, endText(pair, "with "+law.Seconds(t.Value)))
	}
	if shift.Most.Times > 0 {
		try.Move = &shift.Most
	}
	switch {
	case shift.Decides(t):
		try.Verdict, try.Seeds = law.Decides, 0
	case len(shift.Ends) > 0:
		try.Verdict = law.Broken
	case len(shift.Late) > 0:
		try.Verdict, try.Move = law.Broken, &shift.Late[0]
	case len(shift.Often) > 0:
		try.Verdict, try.Move = law.Broken, &shift.Often[0]
	case shift.Most.Times > 1:
		try.Verdict, try.Seeds = law.Repeats, 0
	case shift.Most.Times == 1:
		try.Verdict, try.Seeds = law.Holds, 0
	default:
		try.Verdict, try.Seeds = law.Idle, 0
	}
}

// baseRun is the run of a seed with the times of the scenario.
func (m *Maker) baseRun(seed int64) (*lawRun, error) {
	if known := m.laws.runs[seed]; known != nil {
		return known, nil
	}
	text, err := law.Base(m.Scenario, m.laws.times)
	if err != nil {
		return nil, err
	}
	run, err := m.lawRun(text, seed)
	if err == nil {
		m.laws.runs[seed] = run
	}
	return run, err
}

// lawRun makes a run without faults. Nodes that fail in a step do so in all runs.
func (m *Maker) lawRun(text []byte, seed int64) (*lawRun, error) {
	scenario, err := format.Parse(m.Scenario.Path(), text, verb.All)
	if err != nil {
		return &lawRun{undecided: "the scenario is invalid: " + err.Error()}, nil
	}
	plan, err := runner.Prepare(scenario, m.Brought...)
	if err != nil {
		return &lawRun{undecided: "the scenario is invalid: " + err.Error()}, nil
	}
	look := law.NewLook()
	options := runner.RunOptions{Seed: &seed, NoLines: true, WithoutFaults: rulesOf(scenario)}
	options.Sinks = append(options.Sinks, look.Note)
	outcome, err := m.Run(plan, options)
	run := &lawRun{look: look}
	// With upstream's kubelet, something is always due, such as the end of a container that would exit in an hour.
	upstream := scenario.Spec.Kubernetes.Kubelet == format.UpstreamKubelet
	switch halt, _ := HaltOf(err); {
	case halt != nil:
		run.undecided = "the run halts: " + halt.Message
		return run, nil
	case err != nil:
		return nil, err
	case outcome.Error != "":
		run.undecided = "a step fails: " + outcome.Error
	case !outcome.Rests && !upstream, !law.IsOver(m.Scenario, m.laws.times, look):
		run.undecided = restless
	}
	run.end = look.Finder().End(objectsOf(outcome.State))
	return run, nil
}

// rulesOf are the fault rules of a scenario, also those of steps.
func rulesOf(s *format.Scenario) verb.FaultChoice {
	rules := map[string]bool{}
	for i := range s.Spec.Faults {
		rules[format.FaultPath(i)] = true
	}
	for i, step := range s.Spec.Steps {
		if _, ok := step.Verb.(format.RuleHolder); ok {
			rules[format.StepPath(i)] = true
		}
	}
	return func(path string) bool { return rules[path] }
}
