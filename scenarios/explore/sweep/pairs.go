package sweep

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Two faults do together what none does alone where one meets what the other has disturbed: a controller that retries after the first one
// crashes, or misses an event of the retry. There are far more pairs than places, so the first fault is one of each class, and so is the
// second one among the places of the run with the first.

// OfPairs is a sweep over pairs of faults at places of this one, for as much processor time.
func (s *Sweep) OfPairs(store *Store, pairs []place.Fault, budget time.Duration) *Sweep {
	return &Sweep{
		File: s.File, Text: s.Text, Store: store, Workers: s.Workers, Worker: s.Worker, Compare: s.Compare, History: s.History,
		Pairs: pairs, Budget: budget, First: s.First, Confirm: s.Confirm,
	}
}

// isEvery reports whether the sweep is one over places.
func (s *Sweep) isEvery() bool { return s.Places != nil || s.Pairs != nil }

// faultOf are the faults of a run, by its number.
func (s *Sweep) faultOf(number int64) place.Fault {
	if s.Pairs == nil {
		return place.FaultAt(int(number), &s.Places[number-1])
	}
	i := slices.IndexFunc(s.Pairs, func(f place.Fault) bool { return int64(f.Number) == number })
	return s.Pairs[i]
}

// firsts are the numbers of the places that are the first ones of pairs: one of each class, whose run passed.
func (s *Sweep) firsts() (numbers []int) {
	for i := range s.Places {
		number := int64(i + 1)
		if results := s.Store.results; s.Places[i].Turn == 0 && results.Ran(number) && results.Verdict(number) == runner.Pass {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// FindPairs finds the pairs of faults to which the places that ran lead. It makes a run for each first one. First come pairs with
// different first faults, and different kinds of second ones after them. looked is called with how many firsts have run, and how many there
// are.
func (s *Sweep) FindPairs(ctx context.Context, looked func(done, all int)) ([]place.Fault, error) {
	firsts := s.firsts()
	found := make([][]place.Fault, len(firsts))
	var done atomic.Int64
	err := s.share(ctx, len(firsts), func() bool { return false }, func(ctx context.Context, worker *child.Worker, i int) (err error) {
		if found[i], err = s.pairsAfter(ctx, worker, firsts[i]); err == nil {
			looked(int(done.Add(1)), len(firsts))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return inTurn(found), nil
}

// pairsAfter are the pairs whose first fault is that at a place.
func (s *Sweep) pairsAfter(ctx context.Context, worker *child.Worker, number int) (pairs []place.Fault, err error) {
	first := &s.Places[number-1]
	job := child.Job{
		File: s.File, Text: s.Text, Seed: s.Store.results.Header.Every.Seed, EndEarly: true, Places: true, After: first,
	}
	report, err := worker.Do(ctx, job)
	if err != nil {
		return nil, err
	}
	s.spent.Add(int64(report.Spent))
	for i := range report.Places {
		if second := &report.Places[i]; second.Turn == 0 && !second.Prolongs(first) {
			pairs = append(pairs, place.FaultAt(number, first).With(i+1, second))
		}
	}
	return pairs, nil
}

// inTurn takes the first of each list, the second of each, and so on.
func inTurn(lists [][]place.Fault) (all []place.Fault) {
	for turn := 0; ; turn++ {
		before := len(all)
		for _, list := range lists {
			if turn < len(list) {
				all = append(all, list[turn])
			}
		}
		if len(all) == before {
			return all
		}
	}
}
