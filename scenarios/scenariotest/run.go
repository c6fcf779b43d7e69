// Package scenariotest runs scenarios from Go tests, with controllers of one's own in them:
//
//	func TestPodCounter(t *testing.T) {
//		result := scenariotest.Run(t, "testdata/scale.yaml",
//			scenariotest.Controller("podcounter", func(ctx context.Context, c controllers.Clients) error {
//				return podcounter.Run(ctx, c.Client, podcounter.Options{Informers: c.Informers})
//			}))
//		t.Log(result.Text())
//	}
//
// The test fails when a check of the scenario fails, and tells what led to it. A controller that panics or gives up
// fails the test, too, by name. One that holds up the simulation forever - it spins, or waits for something outside of
// virtual time, such as a mutex held across a request - cannot be stopped from outside, so the process ends with exit
// code 3 and says which controller it was.
//
// What upstream keeps for the process, such as feature gates, allows one simulation at a time: runs wait for each
// other, also those of parallel tests.
package scenariotest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/scenariotest/internal/perturb"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// exitFault is the exit code of a process whose simulation is frozen, as that of the command line.
const exitFault = 3

// Option changes a run.
type Option func(*options)

type options struct {
	run      runner.RunOptions
	patience time.Duration
	spaces   []string
	// quiet leaves out the faults of the scenario, and fails are the checks that are meant to fail.
	quiet bool
	fails []string
	// patterns, places, ignored and smallest are those of Perturb.
	patterns         []string
	places, smallest int
	ignored          []string
}

// Controller runs a controller beside kube-controller-manager. In the trace it goes by its name.
func Controller(name string, run controllers.Custom) Option {
	return func(o *options) { o.run.Controllers[name] = run }
}

// Seed runs the scenario with another seed than its own.
func Seed(seed int64) Option {
	return func(o *options) { o.run.Seed = &seed }
}

// Faults lets the seeds of Explore and Shrink draw faults from these spaces, as kubestep explore --faults does: flaky-api,
// stale-caches, crash-anywhere, node-loss, slow-network.
func Faults(spaces ...string) Option {
	return func(o *options) { o.spaces = spaces }
}

// WithoutFaults leaves out spec.faults: a control that differs by nothing else.
func WithoutFaults() Option {
	return func(o *options) { o.quiet = true }
}

// Fails names the checks that fail, because the scenario shows a bug. The test fails if one of them passes: the bug is fixed,
// or the scenario does not show it any more.
func Fails(checks ...string) Option {
	return func(o *options) { o.fails = append(o.fails, checks...) }
}

// Patience is the real time without any progress after which a simulation counts as frozen. Default 30s.
func Patience(limit time.Duration) Option {
	return func(o *options) { o.patience = limit }
}

// one lets one simulation exist at a time.
var one sync.Mutex

// Run plays a scenario: a file, a scenario that comes with kubestep, or the text of one. It fails the test
// when a check fails, and ends it when the scenario could not be played.
func Run(t testing.TB, scenario string, opts ...Option) *Result {
	t.Helper()
	o := optionsOf(opts)
	read, err := load(scenario, o)
	if err != nil {
		t.Fatal(explain(err))
	}
	result, err := play(read, o)
	if err != nil {
		t.Fatal(explain(err))
	}
	keep(t, read, result, result.Outcome.Result != runner.Pass)
	unknown := slices.Clone(o.fails)
	for _, check := range result.Outcome.Checks {
		failed, shown := !check.Passed, slices.Contains(o.fails, check.Name)
		unknown = slices.DeleteFunc(unknown, func(name string) bool { return name == check.Name })
		switch {
		case failed && !shown:
			t.Errorf("check %s: %s\n%s", check.Name, check.Message, last(result.until(check.Name), 12))
		case failed:
			t.Logf("check %s fails, as it should: %s", check.Name, check.Message)
		case shown:
			t.Errorf("check %s passes, and should fail", check.Name)
		}
	}
	if len(unknown) > 0 {
		t.Errorf("no check %s has a result", strings.Join(unknown, ", "))
	}
	if result.Outcome.Error != "" {
		t.Error(result.Outcome.Error)
	}
	return result
}

func play(scenario *format.Scenario, o *options) (*Result, error) {
	builder := recording.NewBuilder()
	outcome, err := run(scenario, o, func(how runner.RunOptions) (*runner.Outcome, error) {
		how.Sinks = []trace.Sink{builder.Sink}
		return runner.Run(scenario, how)
	})
	if err = cmp.Or(err, builder.Err()); err != nil {
		return nil, err
	}
	origin := recording.Origin{Name: scenario.Metadata.Name, Seed: outcome.Seed, Ran: true, Result: outcome.Result}
	return &Result{Outcome: outcomeOf(outcome), recording: builder.Done(origin, outcome.TraceHash)}, nil
}

func optionsOf(opts []Option) *options {
	o := &options{patience: 30 * time.Second, places: placesDefault, smallest: smallestDefault}
	o.run.Controllers = map[string]controllers.Custom{}
	for _, option := range opts {
		option(o)
	}
	return o
}

// run makes one run, when there is no other. play gets its options.
func run(
	scenario *format.Scenario, o *options, play func(runner.RunOptions) (*runner.Outcome, error),
) (*runner.Outcome, error) {
	one.Lock()
	defer one.Unlock()
	how := o.run
	how.Progress = &engine.Progress{}
	stop := engine.Watch(how.Progress, o.patience, func(f *engine.FrozenError) { frozen(f, o.run.Controllers) })
	defer stop()
	return play(how)
}

// load finds a scenario.
func load(name string, o *options) (scenario *format.Scenario, err error) {
	if strings.Contains(name, "\n") {
		scenario, err = format.Parse("scenario.yaml", []byte(name), verb.All, runner.Expressions)
	} else {
		scenario, err = runner.Open(name)
	}
	if err != nil || !o.quiet {
		return scenario, err
	}
	text, err := space.Quiet(scenario)
	if err != nil {
		return nil, err
	}
	return format.Parse(scenario.Path(), text, verb.All, runner.Expressions)
}

// frozen ends the process. The goroutine of the test is one of those that wait.
func frozen(f *engine.FrozenError, custom map[string]controllers.Custom) {
	text := f.Error() + "\n"
	if try := cmp.Or(f.Try(), controllers.Busy(f.Actors, custom)); try == "" {
		text = "internal fault: " + text
	} else {
		text += "Try: " + try + "\n"
	}
	// One write: while a goroutine spins, it may be long until this one runs again.
	fmt.Fprintf(os.Stderr, "%s\n%s\n", text, f.Stuck)
	os.Exit(exitFault)
}

// explain writes all that is known of an error.
func explain(err error) string {
	var list source.ErrorList
	var positioned *source.Error
	var fault *controllers.Error
	var panicked *engine.PanicError
	var noSpace *space.UnknownError
	var noPattern *perturb.UnknownError
	switch {
	case errors.As(err, &fault) && fault.Try != "":
		return fmt.Sprintf("%v\nTry: %s\n\n%s", fault, fault.Try, fault.Stack)
	case errors.As(err, &fault):
		return fmt.Sprintf("internal fault: %v\n\n%s", fault, fault.Stack)
	case errors.As(err, &panicked):
		return fmt.Sprintf("internal fault: %v\n\n%s", panicked, panicked.Stack)
	case errors.As(err, &noSpace):
		return err.Error() + "\nTry: " + noSpace.Try
	case errors.As(err, &noPattern):
		return err.Error() + "\nTry: " + noPattern.Try
	case errors.As(err, &list):
		var lines []string
		for _, e := range list {
			lines = append(lines, e.Error()+"\nTry: "+e.Try)
		}
		return strings.Join(lines, "\n")
	case errors.As(err, &positioned) && positioned.Try != "":
		return err.Error() + "\nTry: " + positioned.Try
	}
	return err.Error()
}

// last keeps so many lines of a text.
func last(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// until is the trace up to the moment at which a check failed.
func (r *Result) until(check string) string {
	return textOf(func(yield func(*trace.Record) bool) {
		for record := range r.All() {
			failed := record.Check != nil && record.Check.Name == check && !record.Check.Passed
			if failed || !yield(record) {
				return
			}
		}
	})
}

func textOf(records iter.Seq[*trace.Record]) string {
	var out bytes.Buffer
	text := trace.NewText(&out, trace.TextOptions{})
	for record := range records {
		// Writing to memory cannot fail.
		_ = text.Write(record)
	}
	_ = text.Close()
	return out.String()
}
