package command

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/sim/trace"
)

// pairsDirectory is where the results of pairs are, in the directory of those of places.
const pairsDirectory = "pairs"

// explorePairs runs pairs of faults when all places have run, and adds their summary to that of the places. Together, they have the budget.
func explorePairs(ctx context.Context, streams cli.Streams, places *sweeping, summary *sweep.Summary, flags *exploreFlags) error {
	elapsed := output.Stopwatch()
	pairs, err := findPairs(ctx, streams, places)
	if err != nil {
		return err
	}
	s, err := flags.beginPairs(places, pairs)
	if err != nil {
		return err
	}
	defer s.store.Close()
	err = s.run(ctx, streams, "")
	next := s.summary(elapsed(), flags)
	next.Spent += places.Spent() - summary.Spent
	next.BudgetSpent = flags.budget > 0 && summary.Spent+next.Spent >= flags.budget
	summary.Then(next)
	return err
}

// findPairs shows how many of the first faults have been looked at.
func findPairs(ctx context.Context, streams cli.Streams, places *sweeping) ([]place.Fault, error) {
	var looked, all atomic.Int64
	defer output.ShowLine(streams.Err, func(time.Duration) string {
		return fmt.Sprintf("finding pairs: %d of %s", looked.Load(), trace.Count(all.Load(), "first fault"))
	})()
	return places.FindPairs(ctx, func(done, of int) {
		looked.Store(int64(done))
		all.Store(int64(of))
	})
}

// beginPairs opens the results of pairs.
func (f *exploreFlags) beginPairs(places *sweeping, pairs []place.Fault) (*sweeping, error) {
	header := places.store.Results().Header
	header.Every = sweep.Every{Seed: header.Every.Seed, Places: int64(len(pairs)), Pairs: true}
	header.Plan = &sweep.Seeds{From: 1, Count: int64(len(pairs)), Shards: 1}
	dir := f.out
	if dir != "" && len(pairs) > 0 {
		dir = filepath.Join(dir, pairsDirectory)
	}
	store, err := sweep.Open(dir, header)
	if err != nil {
		return nil, storeError(err)
	}
	budget := time.Duration(0)
	if f.budget > 0 {
		budget = max(f.budget-places.Spent(), time.Nanosecond)
	}
	return newSweeping(places.OfPairs(store, pairs, budget)), nil
}
