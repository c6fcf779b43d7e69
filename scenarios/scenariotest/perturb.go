package scenariotest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/scenariotest/internal/perturb"
	"github.com/kubestep/kubestep/sim/trace"
)

// Patterns limits Perturb to some of its patterns, such as crash-after-write and stale-restart.
func Patterns(names ...string) Option {
	return func(o *options) { o.patterns = names }
}

// Places limits how many places Perturb tries for each pattern. Default 40.
func Places(most int) Option {
	return func(o *options) { o.places = most }
}

// IgnoreEnd lets runs of Perturb end otherwise than the quiet run in objects whose names begin like this, such as
// secrets/ or jobs.batch/backup.
func IgnoreEnd(prefixes ...string) Option {
	return func(o *options) { o.ignored = append(o.ignored, prefixes...) }
}

// Smallest says for how many of the findings Perturb searches the smallest scenario, which takes many runs each. Default 3.
func Smallest(findings int) Option {
	return func(o *options) { o.smallest = findings }
}

// Perturb makes one quiet run of a scenario, derives from it the faults that a controller has to survive, and makes a run
// with each of them:
//
//	scenariotest.Perturb(t, "testdata/scale.yaml", scenariotest.Controller("mine", mine.Run))
//
// It crashes each controller of the test after each of its writes, loses the answer of each write, lets the controller
// restart with each state of the past, and so on: package perturb lists the patterns. A run fails if a check or an
// invariant fails, if an object is stuck at its end, or if it ends with other objects than the quiet run. For each thing
// that is wrong, the test fails with the places that show it and the smallest scenario for the first of them, for
// scenariotest.Run.
//
// The runs use all processors, each in a process of its own: the test binary starts again with -test.run for this test,
// and comes as far as this call. With -v, Perturb reports its progress.
func Perturb(t testing.TB, scenario string, opts ...Option) *Perturbed {
	t.Helper()
	p, findings := find(t, scenario, opts)
	for i, finding := range findings.All {
		t.Error(p.describe(finding, i < p.options.smallest))
	}
	return perturbedOf(findings)
}

// Findings does what Perturb does, but returns what it finds, and no finding fails the test: it is for controllers whose
// mistakes are known.
func Findings(t testing.TB, scenario string, opts ...Option) *Perturbed {
	t.Helper()
	_, findings := find(t, scenario, opts)
	return perturbedOf(findings)
}

// find makes the runs.
func find(t testing.TB, scenario string, opts []Option) (*perturbation, *perturb.Findings) {
	t.Helper()
	o := optionsOf(opts)
	served(t, o)
	if os.Getenv(workerVariable) != "" {
		return nil, &perturb.Findings{} // this process works for a later call
	}
	p := &perturbation{t: t, options: o, opts: opts}
	if err := p.prepare(scenario); err != nil {
		t.Fatal(explain(err))
	}
	plans, err := p.derive()
	if err != nil {
		t.Fatal(explain(err))
	}
	findings, err := p.run(plans)
	if err != nil {
		t.Fatal(explain(err))
	}
	p.progress.end()
	return p, findings
}

// placesDefault bounds the runs of a pattern. What has one cause often shows in several ways, so that smallestDefault
// findings are enough to begin with.
const (
	placesDefault   = 40
	smallestDefault = 3
)

// perturbation is one call of Perturb.
type perturbation struct {
	t       testing.TB
	options *options
	opts    []Option
	// progress counts the runs.
	progress *progress

	scenario *format.Scenario
	seed     int64
	// call names this call; see served.
	call string
	// varies are the fields in which two runs without faults, of different seeds, end otherwise.
	varies []string
}

func (p *perturbation) prepare(name string) (err error) {
	p.progress, p.call = begin(p.t), nextCall(p.t.Name())
	if p.scenario, err = load(name, p.options); err != nil {
		return err
	}
	p.seed = p.scenario.Spec.Seed
	if p.options.run.Seed != nil {
		p.seed = *p.options.run.Seed
	}
	return nil
}

// derive makes the quiet run and returns the plans for each controller of the test.
func (p *perturbation) derive() (plans []perturb.Plan, err error) {
	patterns, err := perturb.Named(p.options.patterns)
	if err != nil {
		return nil, err
	}
	if len(p.options.run.Controllers) == 0 {
		return nil, fmt.Errorf("Perturb needs a controller to perturb\nTry: scenariotest.Controller(\"mine\", mine.Run)")
	}
	var quiet []*perturb.Quiet
	names := slices.Sorted(maps.Keys(p.options.run.Controllers))
	for _, name := range names {
		quiet = append(quiet, perturb.NewQuiet(name, p.scenario))
	}
	plan, err := runner.Prepare(p.scenario, names...)
	if err != nil {
		return nil, err
	}
	outcome, end, err := p.quiet(plan, p.seed, quiet)
	if err != nil {
		return nil, err
	}
	for _, check := range outcome.Checks {
		if check.Result != runner.Pass {
			return nil, fmt.Errorf("the run without faults fails: check %s: %s\nIt ends %s after the horizon, as those with faults do.\n"+
				"Try: scenariotest.Run first, or a check that holds at any later time", check.Name, check.Message, notation.Text(space.Rest))
		}
	}
	if err := p.vary(plan, end); err != nil {
		return nil, err
	}
	for _, q := range quiet {
		q.End()
		for _, derived := range perturb.Derive(q, patterns, p.options.places) {
			plans = append(plans, derived.Plans...)
			if left := derived.Places - len(derived.Plans); left > 0 {
				p.t.Logf("perturb: %s %s: %d of %d places, the others are left out; Places changes that", q.Actor, derived.Name,
					len(derived.Plans), derived.Places)
			}
		}
	}
	return plans, nil
}

// quiet makes a run without faults.
func (p *perturbation) quiet(plan *runner.Plan, seed int64, notes []*perturb.Quiet) (*runner.Outcome, *child.Reporter, error) {
	end := child.NewReporter(seed, p.scenario)
	outcome, err := run(p.scenario, p.options, func(how runner.RunOptions) (*runner.Outcome, error) {
		how.Sinks, how.Seed = []trace.Sink{end.Note}, &seed
		for _, q := range notes {
			how.Sinks = append(how.Sinks, q.Note)
		}
		how.Answered = func(seq int64, at time.Duration) {
			for _, q := range notes {
				q.Answered(seq, at)
			}
		}
		return space.Drawn{}.Plan(plan).Run(how)
	})
	if err == nil {
		end.End(outcome, true)
	}
	return outcome, end, err
}

// vary makes a second run without faults, of another seed. What ends otherwise there, such as a password that the controller
// draws, says nothing about a fault, so it is not compared.
func (p *perturbation) vary(plan *runner.Plan, end *child.Reporter) error {
	_, other, err := p.quiet(plan, p.seed+1, nil)
	if err != nil {
		return err
	}
	if p.varies = end.Varying(other); len(p.varies) > 0 {
		p.t.Logf("perturb: not compared, since it differs from seed to seed: %s", strings.Join(p.varies, ", "))
	}
	return nil
}

// run makes a run with each plan.
func (p *perturbation) run(plans []perturb.Plan) (*perturb.Findings, error) {
	ctx, cancel := context.WithCancelCause(p.t.Context())
	defer cancel(nil)
	reports := make([]*child.Report, len(plans))
	next := make(chan int)
	var workers sync.WaitGroup
	p.progress.total = len(plans)
	for range min(runtime.GOMAXPROCS(0), len(plans)) {
		workers.Go(func() {
			worker := p.worker()
			defer worker.Close()
			for i := range next {
				report, err := worker.Do(ctx, p.job(plans[i]))
				if err != nil {
					cancel(err)
					continue
				}
				reports[i] = perturb.Judge(report, p.options.ignored)
				p.progress.done(reports[i])
			}
		})
	}
	for i := range plans {
		next <- i
	}
	close(next)
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	findings := &perturb.Findings{}
	for i, plan := range plans {
		if reports[i].Wrong {
			return nil, fmt.Errorf("%s: %s\nTry: %s", plan.String(), reports[i].Message, reports[i].Try)
		}
		findings.Add(plan, reports[i])
	}
	return findings, nil
}

// job is the run of a plan.
func (p *perturbation) job(plan perturb.Plan) child.Job {
	return child.Job{
		File: p.scenario.Path(), Text: string(p.scenario.Source()), Seed: p.seed, Faults: plan.Rules, Compare: true, EndEarly: true,
		Varies: p.varies,
	}
}

// describe says what is wrong, where, and shows the smallest scenario.
func (p *perturbation) describe(finding *perturb.Finding, shrinks bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s\n%s", finding.Name, finding.Message, placesText(finding.Plans))
	if !shrinks {
		return out.String()
	}
	text, err := space.Drawn{Rules: finding.Plans[0].Rules}.Text(p.scenario)
	if err != nil {
		fmt.Fprintf(&out, "the scenario cannot be written: %v\n", err)
		return out.String()
	}
	small, err := p.small(text)
	if err != nil {
		fmt.Fprintf(&out, "no smaller scenario was found: %v\n", err)
		small = string(text)
	}
	return out.String() + strings.TrimRight(small, "\n") +
		"\nTry: save this scenario, and give it to scenariotest.Run with the options of this test; go test -artifacts keeps its trace\n"
}

// small is the smallest scenario that fails as this one does.
func (p *perturbation) small(text []byte) (string, error) {
	judged := func(maker *child.Maker, job child.Job) (*child.Report, error) {
		job.Compare, job.Varies = true, p.varies // the end may be all that is wrong
		report, err := maker.Report(job)
		if err != nil {
			return nil, err
		}
		return perturb.Judge(report, p.options.ignored), nil
	}
	result, err := shrunk(p.t.Context(), p.scenario.Path(), text, p.seed, p.opts, judged)
	if err != nil {
		return "", err
	}
	return result.Header(p.scenario.Path(), p.seed) + string(result.Text), nil
}

// placesMax is how many places of a finding are named.
const placesMax = 8

func placesText(plans []perturb.Plan) string {
	var out strings.Builder
	for i, plan := range plans {
		if i == placesMax {
			fmt.Fprintf(&out, "  and at %s more\n", trace.Count(len(plans)-i, "place"))
			break
		}
		fmt.Fprintf(&out, "  %s\n", plan.String())
	}
	return out.String()
}
