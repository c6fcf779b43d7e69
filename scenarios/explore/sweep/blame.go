package sweep

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
)

// A seed draws several faults, and most of them have no part in what goes wrong. For the first seed of each group, those are left out one
// after the other without which the run ends in the same way. What remains needs each other: without any one of them it ends otherwise. A
// run that is as hot without all of them needs none.

// blame finds the faults that the first run of each group needs. At a place, there is only one, and of a pair, both are needed: alone, they
// have been tried.
func (s *Sweep) blame(ctx context.Context) error {
	if s.isEvery() {
		return nil
	}
	var groups []*Group
	for _, group := range s.Store.results.Groups() {
		if len(group.Faults) > 1 && len(group.Needs) == 0 && !isHotAnyway(group.Comparison) {
			groups = append(groups, group)
		}
	}
	results := make([]*Result, len(groups))
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(max(s.Workers, 1))
	for i, group := range groups {
		workers.Go(func() (err error) {
			results[i], err = s.needs(ctx, group)
			return err
		})
	}
	if err := workers.Wait(); err != nil {
		return err
	}
	for _, result := range results {
		if err := s.Store.Add(result); err != nil {
			return err
		}
	}
	return nil
}

// needs is the line that says which faults the first run of a group needs.
func (s *Sweep) needs(ctx context.Context, group *Group) (*Result, error) {
	worker := s.Worker()
	defer worker.Close()
	results := s.Store.results
	want := results.wayOf(group.Smallest).key
	var omit []int
	for i := range group.Faults {
		if len(omit) == len(group.Faults)-1 {
			break
		}
		job, err := s.run(ctx, group.Smallest)
		if err != nil {
			return nil, err
		}
		job.Omit = append(slices.Clone(omit), i)
		report, err := worker.Do(ctx, job)
		if err != nil {
			return nil, err
		}
		result, err := s.result(group.Smallest, report)
		if err != nil {
			return nil, err
		}
		if key, unusual := keyOf(result); unusual && key == want {
			omit = job.Omit
		}
	}
	bare := &Result{Seed: group.Smallest, Result: group.Verdict, Hash: results.seeds[group.Smallest].hash}
	for i, fault := range group.Faults {
		if !slices.Contains(omit, i) {
			bare.Needs = append(bare.Needs, fault)
		}
	}
	return bare, nil
}
