package shrink

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Shrinker shrinks one scenario.
type Shrinker struct {
	// File is the name of the scenario, and Text its content.
	File string
	Text []byte
	// Seed is a failing seed.
	Seed int64
	// Against are the places of the faults without which the run ends otherwise, if it is diverged; empty means all (child.Job).
	Against []string
	// History compares the run with one that creates what users want in an empty cluster (child.Job), and not with the one without faults.
	History bool
	// Orders, if set, make nothing take time, and are the choices of the runs (child.Job). There is no comparison with another run then.
	Orders *child.Orders
	// Run makes the run of a job, which has the scenario as text. It is called concurrently.
	Run func(ctx context.Context, job child.Job) (*child.Report, error)
	// Parallel is the number of concurrent runs; the result does not depend on it.
	Parallel int
	// Progress is called with the progress; may be nil. Calls do not overlap.
	Progress func(Progress)
}

// Progress is the progress of shrinking.
type Progress struct {
	Runs int64
	Size Size
}

// Result is the smallest scenario that was found.
type Result struct {
	// Text is the scenario, with its seed, which may differ from the given one.
	Text []byte
	Seed int64
	// Failure is the failure, named as in Text.
	Failure child.Failure
	// Before and After are the sizes of the scenario.
	Before, After Size
	// Runs counts the runs.
	Runs int64
	// Hash is the trace hash of the last run.
	Hash string
	// Choices are those with which it fails, in words; empty if nothing chooses an order.
	Choices string
	// Control says how it passes: with seed 8, or without its faults; empty if unknown.
	Control string
}

// PassesError means that the scenario passes.
type PassesError struct{ Seed int64 }

// Error implements error.
func (e *PassesError) Error() string { return fmt.Sprintf("seed %d passes", e.Seed) }

// UnsteadyError means that a seed does not always fail.
type UnsteadyError struct{ Seed int64 }

// Error implements error.
func (e *UnsteadyError) Error() string {
	return fmt.Sprintf("seed %d fails in one run but not in the next", e.Seed)
}

// WrongError means that a scenario cannot be run.
type WrongError struct{ Message, Try string }

// Error implements error.
func (e *WrongError) Error() string { return e.Message }

// How many other seeds are tried: to find some with which the scenario passes, and one with which more can be left out. What
// is left out may have made the failure likely, so the second number says how rare it may become.
const passingSeeds, failingSeeds = 8, 16

// session is one Shrink.
type session struct {
	*Shrinker
	// draft is the smallest so far, and failure what its run failed.
	draft   *draft
	failure child.Failure
	hash    string
	// settled is the time of its last change.
	settled time.Duration
	// check is the name of what must fail, unless it is a step, whose index the draft has.
	check string
	// by is what decided the first failure. What a time decided, because it was too short, is another failure than what the
	// state decided.
	by verb.Decider
	// whole is the horizon of the original, as it is written; empty if it has none.
	whole string
	// verdict and end are those of the report, if the run must end stuck, hot or late: no check or step is needed for that.
	verdict, end string
	// rests means that the run must be at rest when it fails, as the original is: what has not happened by then does not
	// happen any more. Without it, a standstill would shrink to a healthy run that is cut off.
	rests bool
	// controls are ways in which the original passes. While it is guarded, each draft must pass in one of them.
	controls []control
	guarded  bool
	// words are those of the first failure.
	words string
	// others are seeds that are tried beside the draft's; none mostly.
	others []int64
	// late means that candidates are not checked with the original horizon one by one, but after the pass.
	late bool
	runs atomic.Int64

	mu   sync.Mutex
	seen map[key]*verdict
}

// Shrink returns the smallest scenario that it finds. When the context ends it returns the smallest so far,
// together with the context's error.
func (s *Shrinker) Shrink(ctx context.Context) (*Result, error) {
	d, err := parse(s.Text, s.Seed)
	if err != nil {
		return nil, err
	}
	d.orders = s.Orders
	session := &session{Shrinker: s, draft: d, whole: d.horizon(), seen: map[key]*verdict{}}
	before := sizeOf(d)
	if err := session.begin(ctx); err != nil {
		return nil, err
	}
	err = session.reduce(ctx)
	result := &Result{
		Text: session.draft.text(), Seed: session.draft.seed, Failure: session.failure, Before: before, After: sizeOf(session.draft),
		Runs: session.runs.Load(), Hash: session.hash,
	}
	if s.Orders != nil {
		result.Choices = " and --choices " + orders.ListText(s.Orders.Choices)
	}
	if err == nil {
		result.Control, err = session.passing(ctx, session.draft)
	}
	return result, err
}

// begin learns what fails, and which seeds pass.
func (s *session) begin(ctx context.Context) error {
	// The text is the original one here, so that the places in errors are those of the file.
	s.runs.Add(1)
	compare := !s.History && s.Orders == nil
	report, err := s.Run(ctx, child.Job{
		File: s.File, Text: string(s.Text), Seed: s.Seed, Compare: compare, SameEnd: compare, History: s.History, Against: s.Against,
		Orders: s.Orders,
	})
	switch {
	case err != nil:
		return err
	case report.Wrong:
		return &WrongError{report.Message, report.Try}
	case report.Result == runner.Pass || len(report.Failures) == 0 && report.Stuck == "" && report.Hot == "":
		return &PassesError{s.Seed}
	}
	s.aim(report)
	if c := report.Comparison; c != nil && c.Hot {
		// The faults have no part in it.
		if err := s.startWithoutFaults(ctx); err != nil {
			return err
		}
	}
	again, err := s.play(ctx, s.draft, s.Seed)
	if err != nil {
		return err
	}
	if _, fails := s.fails(s.draft, again); !fails {
		return &UnsteadyError{s.Seed}
	}
	return s.findControls(ctx)
}

// startWithoutFaults takes the scenario without its faults as the draft, if it fails as it should.
func (s *session) startWithoutFaults(ctx context.Context) error {
	without := withoutFaults(s.draft)
	v, err := s.judge(ctx, without)
	if err == nil && v.fails {
		s.draft, s.failure, s.hash, s.settled = without, v.failure, v.hash, v.settled
	}
	return err
}

// restAfter is how long nothing may have been written until a simulation counts as at rest, as in package runner.
const restAfter = time.Minute

// aim learns from the first run what must fail.
func (s *session) aim(report *child.Report) {
	s.hash, s.settled = report.Hash, report.Settled
	switch report.Result {
	case runner.Stuck, runner.Hot, runner.Diverged, runner.Late:
		s.verdict, s.end = report.Result, report.End
		s.failure = failureOf(report)
		return
	}
	s.failure = report.Failures[0]
	s.by = s.failure.By
	s.words = child.Words(s.failure.Message)
	s.rests = report.Rests && s.failure.At >= report.Settled+restAfter
	s.draft.step = format.StepIndex(s.failure.Name)
	if s.draft.step < 0 {
		s.check = s.failure.Name
	}
}

// failureOf is why a run is stuck, hot, diverged or late.
func failureOf(report *child.Report) child.Failure {
	switch report.Result {
	case runner.Stuck:
		return child.Failure{Name: runner.Stuck, At: report.Settled, Message: report.Stuck}
	case runner.Hot:
		return child.Failure{Name: runner.Hot, At: report.HotAt, Message: report.Hot}
	}
	return report.Failures[len(report.Failures)-1]
}

// nearby are n other seeds, or fewer.
func (s *session) nearby(n int64) (seeds []int64) {
	for i := int64(1); i <= n && s.Seed <= math.MaxInt64-i; i++ {
		seeds = append(seeds, s.Seed+i)
	}
	return seeds
}

// reduce goes round until nothing more can be left out. The point that the seed drew of a fault comes last:
// with it, other seeds fail, too.
func (s *session) reduce(ctx context.Context) error {
	// What must come to rest is mostly at rest long before the end of the run; the runs that follow are then faster.
	if s.standsStill() {
		for _, pass := range []func(context.Context) error{s.sooner, s.horizon} {
			if err := pass(ctx); err != nil {
				return err
			}
		}
	}
	for {
		before := s.draft.text()
		for _, pass := range []func(context.Context) error{
			s.steps, s.horizon, s.faults, s.manifests, s.fields, s.numbers, s.times,
		} {
			if err := s.pass(ctx, pass); err != nil {
				return err
			}
		}
		if !slices.Equal(before, s.draft.text()) {
			continue
		}
		if err := s.pass(ctx, s.pairs); err != nil {
			return err
		}
		if !slices.Equal(before, s.draft.text()) {
			continue
		}
		if err := s.reduceWith(ctx, s.nearby(failingSeeds)); err != nil {
			return err
		}
		if slices.Equal(before, s.draft.text()) {
			break
		}
	}
	if s.Orders != nil {
		return nil // pin looks for other seeds
	}
	s.guarded = false
	return s.pin(ctx)
}

// pass makes one pass. The original horizon may be hours, so the draft is checked with it once, after the pass, and not each candidate. If
// it does not fail then, a candidate among those that were taken is to blame: the pass starts over, and checks each of them.
func (s *session) pass(ctx context.Context, make func(context.Context) error) error {
	draft, failure, hash, settled := s.draft, s.failure, s.hash, s.settled
	s.late = true
	err := make(ctx)
	s.late = false
	if s.draft == draft || !s.owes(s.draft) {
		return err
	}
	fails := false
	if err == nil {
		if fails, err = s.failsInTheEnd(ctx, s.draft); err == nil && fails {
			return nil
		}
	}
	// Nobody knows whether the draft fails in the end, or it does not: back to the last one that does.
	s.draft, s.failure, s.hash, s.settled = draft, failure, hash, settled
	if err != nil {
		return err
	}
	return make(ctx)
}

// reduceWith leaves out more with the help of other seeds: what is left out may only have made the failure likely.
func (s *session) reduceWith(ctx context.Context, seeds []int64) error {
	s.others = seeds
	defer func() { s.others = nil }()
	for _, pass := range []func(context.Context) error{s.steps, s.faults, s.manifests} {
		if err := s.pass(ctx, pass); err != nil {
			return err
		}
	}
	return nil
}

// reseeded are the candidates, each followed by itself with the other seeds.
func (s *session) reseeded(candidates []*draft) []*draft {
	if len(s.others) == 0 {
		return candidates
	}
	var out []*draft
	for _, candidate := range candidates {
		out = append(out, candidate)
		for _, seed := range s.others {
			out = append(out, candidate.reseed(seed))
		}
	}
	return out
}

// each tries the candidates that next makes of the draft, takes the first that fails, and continues with those behind
// it.
func (s *session) each(ctx context.Context, next func(d *draft) []*draft) error {
	for from := 0; ; {
		candidates := s.reseeded(next(s.draft))
		if from >= len(candidates) {
			return nil
		}
		n, err := s.first(ctx, candidates[from:])
		if err != nil || n < 0 {
			return err
		}
		from += n
	}
}

// first takes the first candidate that fails as the new draft, and returns its index; -1 if none does. Several
// are tried at a time, but it is always the first that is taken.
func (s *session) first(ctx context.Context, candidates []*draft) (int, error) {
	for start := 0; start < len(candidates); start += max(s.Parallel, 1) {
		batch := candidates[start:min(len(candidates), start+max(s.Parallel, 1))]
		verdicts, errs := make([]*verdict, len(batch)), make([]error, len(batch))
		var group sync.WaitGroup
		for i, candidate := range batch {
			group.Go(func() { verdicts[i], errs[i] = s.judge(ctx, candidate) })
		}
		group.Wait()
		for i, v := range verdicts {
			switch {
			case errs[i] != nil:
				return -1, errs[i]
			case v.fails:
				s.draft, s.failure, s.hash, s.settled = batch[i], v.failure, v.hash, v.settled
				s.tell()
				return start + i, nil
			}
		}
		s.tell()
	}
	return -1, nil
}

func (s *session) tell() {
	if s.Progress != nil {
		s.Progress(Progress{s.runs.Load(), sizeOf(s.draft)})
	}
}

// ceil rounds a time up to whole seconds.
func ceil(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}
