package orders

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/observe/digest"
)

// Search enumerates the orders of a scenario.
type Search struct {
	File string
	// Text, if set, is the scenario itself, and File only its name.
	Text string
	// Seed decides what else is drawn: how long Pods take to start, and names.
	Seed int64
	// Bound is how many choices of a run may be other than 0.
	Bound int
	// Budget bounds the processor time of all processes together; 0 means no bound.
	Budget time.Duration
	// Whole makes each run to its end, also if it reaches a state that another one has been in, and compares how they continue.
	Whole bool
	// Workers is how many processes run at a time, and Worker makes one.
	Workers int
	Worker  func() *child.Worker
	// Store keeps the results of the runs, by their numbers from 1.
	Store *sweep.Store
	// Done is called after each run; may be nil.
	Done func(Progress)
}

// Progress is how far a search is.
type Progress struct {
	// Runs is how many runs were made, and Left how many are known to be left. With More, each of them can show further ones.
	Runs, Left int
	More       bool
	// Spent is the processor time.
	Spent time.Duration
}

// Found is what a search has found.
type Found struct {
	*Graph
	Bound int
	// Runs counts the runs, and Longest the choices of the longest one.
	Runs, Longest int
	// Left counts the choices that are known and were not taken since the budget was spent, and Beyond those since the bound does not
	// allow them.
	Left, Beyond int
	// Alike counts the runs of a Whole search that reached a state that another one had been in, and continued in the same way. Unlike are
	// those that continued in another way: the state leaves something out.
	Alike  int
	Unlike []Unlike
	// Lists are the choices of the runs that failed, by their numbers.
	Lists map[int64][]int
	// Spent is the processor time.
	Spent time.Duration
}

// Unlike is a run that continued in another way than an earlier one from an equal state.
type Unlike struct {
	// List are the choices of the run, and Earlier those of the earlier one.
	List, Earlier []int
	// Choice is the number of the choice that the run makes in that state, from 1.
	Choice int
}

// Complete reports whether all orders within the bound were enumerated.
func (f *Found) Complete() bool { return f.Left == 0 && len(f.Unlike) == 0 }

// search is a Search under way.
type search struct {
	Search
	*Found

	mu sync.Mutex
	// known are the states that runs have been in, in the order in which they were found.
	known []digest.Digest
}

// Run makes the runs. It ends early, with the error of the context, when that ends.
func (s Search) Run(ctx context.Context) (*Found, error) {
	found := &Found{Graph: newGraph(), Bound: s.Bound, Lists: map[int64][]int{}}
	run := &search{Search: s, Found: found}
	lists := [][]int{nil}
	for level := 0; len(lists) > 0; level++ {
		next, err := run.level(ctx, lists, level == s.Bound)
		if err != nil {
			return found, err
		}
		switch {
		case level == s.Bound:
			found.Beyond = len(next)
			return found, nil
		case found.Left > 0:
			found.Left += len(next)
			return found, nil
		}
		lists = next
	}
	return found, nil
}

// answer is what a worker says of a list of choices; a nil report means that the budget was spent before.
type answer struct {
	report *child.Report
	err    error
}

// tell tells Done how far the search is, with so many lists left at the level and so many found for the next one. No level follows the
// last one: the bound does not allow what its runs find.
func (s *search) tell(left, found int, last bool) {
	if s.Done == nil {
		return
	}
	if !last {
		left += found
	}
	s.Done(Progress{Runs: s.Runs, Left: left, More: !last, Spent: s.Spent})
}

// level makes the runs of some lists, and returns the lists with one more choice other than 0. The answers are taken in the order of the
// lists, whichever worker was faster. At the last level, the bound does not allow more.
func (s *search) level(ctx context.Context, lists [][]int, last bool) (next [][]int, err error) {
	ctx, stop := context.WithCancel(ctx)
	answers, jobs := make([]chan answer, len(lists)), make(chan int)
	for i := range answers {
		answers[i] = make(chan answer, 1)
	}
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop()
	for range min(s.Workers, len(lists)) {
		workers.Go(func() { s.work(ctx, lists, jobs, answers) })
	}
	go func() {
		defer close(jobs)
		for i := range lists {
			select {
			case jobs <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	for i, list := range lists {
		select {
		case got := <-answers[i]:
			switch {
			case got.err != nil:
				return nil, got.err
			case got.report == nil:
				s.Left++
				continue
			}
			more, err := s.take(list, got.report)
			if err != nil {
				return nil, err
			}
			next = append(next, more...)
			s.tell(len(lists)-i-1, len(next), last)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return next, nil
}

// work is what one worker does.
func (s *search) work(ctx context.Context, lists [][]int, jobs <-chan int, answers []chan answer) {
	worker := s.Worker()
	defer worker.Close()
	told := 0
	for i := range jobs {
		s.mu.Lock()
		spent, known := s.Budget > 0 && s.Spent >= s.Budget, s.known[told:]
		s.mu.Unlock()
		if spent {
			answers[i] <- answer{}
			continue
		}
		told += len(known)
		orders := &child.Orders{Choices: lists[i]}
		if !s.Whole {
			orders.Known = known
		}
		report, err := worker.Do(ctx, child.Job{File: s.File, Text: s.Text, Seed: s.Seed, EndEarly: true, SameEnd: true, Orders: orders})
		if report != nil && report.Halt != nil {
			told = 0 // the next process knows nothing
		}
		answers[i] <- answer{report, err}
	}
}

// take adds a run to the graph, and returns the lists that follow from it: up to the first state that a run before it has been in.
func (s *search) take(list []int, report *child.Report) (next [][]int, err error) {
	if report.Wrong {
		return nil, &sweep.WrongError{Message: report.Message, Try: report.Try}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Spent += report.Spent
	s.Runs++
	s.Longest = max(s.Longest, len(report.Orders))
	var path []int
	var before *State
	joined := false
	var unlike *Unlike
	follow := func(i int, to Place) {
		if before != nil && !s.Graph.take(before, path[i-1], to, list) && unlike == nil {
			unlike = &Unlike{List: list, Earlier: before.by[path[i-1]], Choice: i}
		}
	}
	for i := range report.Orders {
		choice := &report.Orders[i]
		isNew := !s.knows(choice.State)
		state := s.state(choice, before, s.Runs, list)
		follow(i, Place{State: state})
		joined = joined || i >= len(list) && !isNew
		if isNew && !joined {
			s.known = append(s.known, state.Digest)
			for chosen := 1; chosen < len(choice.Open); chosen++ {
				next = append(next, append(path[:i:i], chosen))
			}
		}
		path, before = append(path, choice.Chosen), state
	}
	if !report.Joined {
		follow(len(path), Place{End: s.end(report)})
		if err := s.keep(list, report); err != nil {
			return nil, err
		}
	}
	switch {
	case unlike != nil:
		s.Unlike = append(s.Unlike, *unlike)
	case s.Whole && joined:
		s.Alike++
	}
	return next, nil
}

// keep keeps the result of a run that came to its end.
func (s *search) keep(list []int, report *child.Report) error {
	number := int64(s.Runs)
	if report.Result != runner.Pass {
		s.Lists[number] = list
	}
	result, err := sweep.ResultOf(report)
	if err != nil {
		return fmt.Errorf("the run of the choices %v: %w", list, err)
	}
	result.Seed, result.Decisions = number, nil
	return s.Store.Add(result)
}
