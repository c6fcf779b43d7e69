package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Sweep runs seeds.
type Sweep struct {
	File string
	// Text, if set, is the scenario itself, and File only its name.
	Text  string
	Seeds Seeds
	Store *Store
	// Workers is how many processes run at a time.
	Workers int
	// Worker makes a process that runs seeds.
	Worker func() *child.Worker
	// Spaces are the fault spaces that each seed draws from, and Compare runs each seed without its faults, too.
	Spaces  []string
	Compare bool
	// History compares each run with ones that create the wanted objects in an empty cluster.
	History bool
	// Past is what all runs share, if it is not zero: the seeds decide only what comes after it.
	Past child.Past
	// Places, if set, are the faults of the runs, one each: the seeds are their numbers, from 1, and all runs have the seed of the header.
	// Budget bounds the processor time of all processes together; 0 means no bound.
	Places []place.Place
	Budget time.Duration
	// Pairs, if set, are the faults of the runs instead, in the order of the runs: the seeds are their numbers.
	Pairs []place.Fault
	// Draw, if set, are the faults that a seed draws from Spaces, instead of what it draws in the process of its run. Calls may overlap.
	Draw func(ctx context.Context, seed int64) ([]format.FaultRule, error)
	// First ends the sweep at the first failure.
	First bool
	// Confirm runs every seed twice, the second time in a fresh process, and not only some that fail.
	Confirm bool
	// Done is called after every seed; may be nil. Calls do not overlap.
	Done func(*Result)

	// wrong are the first results, as long as all say that the scenario cannot be played.
	wrong []*Result
	// confirming means that failures run once more.
	confirming bool
	// spent is the processor time so far.
	spent atomic.Int64
}

// WrongError means that the scenario cannot be played.
type WrongError struct{ Message, Try string }

// Error implements error.
func (e *WrongError) Error() string { return e.Message }

// errEnough ends a sweep early, without an error.
var errEnough = errors.New("enough")

// wrongMax is how many runs in a row may find at the start that the scenario cannot be played, before it
// counts as wrong for every seed.
const wrongMax = 8

// Left are the seeds that are still to be run.
func (s *Sweep) Left() []int64 {
	var left []int64
	for seed := range s.all() {
		known, ran := s.Store.results.seeds[seed]
		if !ran || s.Confirm && !known.confirmed {
			left = append(left, seed)
		}
	}
	return left
}

// all are the seeds, or the numbers of places.
func (s *Sweep) all() iter.Seq[int64] {
	if s.Pairs == nil {
		return s.Seeds.All()
	}
	return func(yield func(int64) bool) {
		for i := range s.Pairs {
			if !yield(int64(s.Pairs[i].Number)) {
				return
			}
		}
	}
}

// job is a seed for a worker. known means that it has a result, which is to be confirmed: its verdict and hash, and whether the run
// returned.
type job struct {
	seed     int64
	known    bool
	verdict  string
	hash     Hash
	returned bool
}

// jobOf is the job of a seed.
func (s *Sweep) jobOf(seed int64) job {
	results := s.Store.results
	if !results.Ran(seed) || s.Confirm && results.seeds[seed].returned {
		return job{seed: seed}
	}
	return job{seed, true, results.Verdict(seed), results.seeds[seed].hash, results.seeds[seed].returned}
}

// Run runs the seeds that the Store does not know, and then confirms some failures of each group. It ends early when the
// context is cancelled, with its error, or at the first failure if that is asked for.
func (s *Sweep) Run(ctx context.Context) error {
	var seeds []job
	for _, seed := range s.inOrder(s.Left()) {
		seeds = append(seeds, s.jobOf(seed))
	}
	if err := s.runAll(ctx, seeds); err != nil {
		return err
	}
	s.confirming = true
	defer func() { s.confirming = false }()
	s.Budget = 0
	if err := s.runAll(ctx, s.doubtful()); err != nil {
		return err
	}
	return s.blame(ctx)
}

// confirmedMax is how many failures of a group are confirmed: those of its smallest seeds.
const confirmedMax = 3

// doubtful are failures that are to be confirmed.
func (s *Sweep) doubtful() []job {
	var jobs []job
	for _, group := range s.Store.results.Groups() {
		for _, seed := range group.Seeds[:min(len(group.Seeds), confirmedMax)] {
			if !s.Store.results.seeds[seed].confirmed {
				jobs = append(jobs, s.jobOf(seed))
			}
		}
	}
	return jobs
}

// runAll hands jobs to the workers.
func (s *Sweep) runAll(ctx context.Context, all []job) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	results := make(chan *Result)
	var enough atomic.Bool
	ends := func() bool { return enough.Load() || s.Budget > 0 && s.Spent() >= s.Budget }
	go func() {
		defer close(results)
		if err := s.share(ctx, len(all), ends, func(ctx context.Context, worker *child.Worker, i int) error {
			return s.work(ctx, worker, all[i], results)
		}); err != nil {
			stop(err)
		}
	}()
	for result := range results {
		if err := s.take(result); errors.Is(err, errEnough) {
			enough.Store(true)
		} else if err != nil && !enough.Load() {
			stop(err)
		}
	}
	if ctx.Err() == nil && len(s.wrong) > 0 {
		return s.firstWrong()
	}
	return context.Cause(ctx)
}

// take keeps a result. It runs on one goroutine. A scenario that cannot be played is mostly wrong for every
// seed; where others could be played, it is a failure.
func (s *Sweep) take(result *Result) error {
	if result.wrong != nil && s.Store.results.Len() == 0 {
		s.wrong = append(s.wrong, result)
		if len(s.wrong) == wrongMax {
			return s.firstWrong()
		}
		return nil
	}
	waiting := append(s.wrong, result)
	s.wrong = nil
	var first error
	for _, result := range waiting {
		if err := s.keep(result); first == nil {
			first = err
		}
	}
	return first
}

func (s *Sweep) firstWrong() error {
	return slices.MinFunc(s.wrong, func(a, b *Result) int { return cmp.Compare(a.Seed, b.Seed) }).wrong
}

func (s *Sweep) keep(result *Result) error {
	if result.Passed() {
		result.Paths, result.Decisions = s.newPaths(result), nil
	}
	if err := s.Store.Add(result); err != nil {
		return err
	}
	if s.confirming {
		return nil
	}
	if s.Done != nil {
		s.Done(result)
	}
	if s.First && !result.Passed() {
		return errEnough
	}
	return nil
}

// newPaths are the decisions of a run that passed which no run before it had taken.
func (s *Sweep) newPaths(result *Result) []Hash {
	var paths []Hash
	for i := range result.Decisions {
		path, err := HashOf(result.Decisions[i].Path)
		if err == nil && !s.Store.results.took(&result.Decisions[i]) && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// share hands out the numbers from 0 to n-1, in their order, to workers with a process each, until ends says that no more begin. It returns
// the first error, and interrupts the others then.
func (s *Sweep) share(ctx context.Context, n int, ends func() bool, do func(context.Context, *child.Worker, int) error) error {
	workers, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(max(s.Workers, 1), n) {
		workers.Go(func() error {
			worker := s.Worker()
			defer worker.Close()
			for !ends() && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					break
				}
				if err := do(ctx, worker, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return workers.Wait()
}

// work makes the run of a seed.
func (s *Sweep) work(ctx context.Context, worker *child.Worker, job job, results chan<- *Result) error {
	var result *Result
	if job.known {
		result = &Result{Seed: job.seed, Result: job.verdict, Hash: job.hash, Returned: job.returned}
	} else {
		run, err := s.run(ctx, job.seed)
		if err != nil {
			return err
		}
		report, err := worker.Do(ctx, run)
		if err == nil {
			result, err = s.result(job.seed, report)
		}
		if err != nil {
			return err
		}
	}
	if s.Confirm || job.known {
		if err := s.confirm(ctx, result); err != nil {
			return err
		}
	}
	select {
	case results <- result:
	case <-ctx.Done():
	}
	return nil
}

// Spent is the processor time that the processes have used for the runs so far.
func (s *Sweep) Spent() time.Duration { return time.Duration(s.spent.Load()) }

// run is the run of a seed.
func (s *Sweep) run(ctx context.Context, seed int64) (child.Job, error) {
	job := child.Job{
		File: s.File, Text: s.Text, Seed: seed, Compare: s.Compare, SameEnd: s.Compare, History: s.History, EndEarly: true,
	}
	var err error
	switch {
	case s.isEvery():
		job.Seed, job.Faults = s.Store.results.Header.Every.Seed, s.faultOf(seed).Rules
		if s.Pairs == nil {
			job.Late, job.Return = s.Places[seed-1].Late, !s.Confirm
		}
	case s.Draw != nil:
		job.Faults, err = s.Draw(ctx, seed)
	default:
		job.Spaces, job.Past = s.Spaces, s.Past
	}
	return job, err
}

// result is what a report says.
func (s *Sweep) result(seed int64, report *child.Report) (*Result, error) {
	s.spent.Add(int64(report.Spent))
	if report.Scenario != "" && report.Scenario != s.Store.results.Header.Hash {
		return nil, &WrongError{s.File + " changed during the sweep", "run the sweep again with another --out"}
	}
	result, err := ResultOf(report)
	if err != nil {
		return nil, err
	}
	if s.isEvery() {
		fault := s.faultOf(seed)
		result.Seed, result.Faults, result.Rules = seed, fault.Lines, fault.Names()
	}
	if report.Wrong {
		result.wrong = &WrongError{fmt.Sprintf("%s (seed %d)", report.Message, report.Seed), report.Try}
	}
	return result, nil
}

// ResultOf is the result that a report tells of.
func ResultOf(report *child.Report) (*Result, error) {
	hash, err := HashOf(report.Hash)
	if err != nil {
		return nil, err
	}
	return &Result{
		Seed: report.Seed, Result: report.Result, Hash: hash, Failures: report.Failures, Decisions: report.Decisions,
		Returned: report.Returned > 0, End: report.End, Stuck: report.Stuck, Hot: report.Hot, Faults: report.Faults,
		Comparison: report.Comparison,
	}, nil
}

// confirm runs a seed once more in a fresh process, and notes what came instead of the same trace.
func (s *Sweep) confirm(ctx context.Context, result *Result) error {
	worker := s.Worker()
	defer worker.Close()
	job, err := s.run(ctx, result.Seed)
	if err != nil {
		return err
	}
	job.Compare, job.History, job.Alone, job.Return = false, false, true, result.Returned
	again, err := worker.Do(ctx, job)
	if err != nil {
		return err
	}
	s.spent.Add(int64(again.Spent))
	hash, err := HashOf(again.Hash)
	if err != nil {
		return err
	}
	result.Confirmed = true
	switch {
	case again.Result == runner.Fault && result.Result == runner.Fault:
		// A simulation that breaks down has no hash.
	case again.Result == runner.Fault:
		result.Unconfirmed = "it was aborted: " + again.Failures[0].Message
	case hash != result.Hash:
		how := "failed"
		if again.Result == runner.Pass {
			how = "passed"
		}
		result.Unconfirmed = "it " + how + ", with another trace: " + again.Hash
		result.OpenOrder = again.OpenOrder
	}
	return nil
}
