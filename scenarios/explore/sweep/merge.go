package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// Merge joins the results in several directories, which must be of one scenario and parts of one sweep: have the same seeds,
// but each its shard of them. What no part has, Results.Missing tells. out, if it is not empty, is a directory that gets all
// results.
func Merge(dirs []string, out string) (*Results, error) {
	all := newResults(Header{})
	for _, dir := range dirs {
		if err := all.merge(dir); err != nil {
			return nil, err
		}
	}
	if all.Header.Plan == nil {
		return nil, &FormatError{filepath.Join(dirs[0], FileName), 1, notResults}
	}
	if out == "" {
		return all, nil
	}
	return all, all.store(out)
}

// merge adds the results of a directory. A sweep that was killed before it had written a line has none.
func (r *Results) merge(dir string) error {
	path := filepath.Join(dir, FileName)
	plan, _, err := read(path, func(header Header) (*Results, error) {
		if r.Header.Plan != nil && !header.matches(r.Header) {
			return nil, &OtherError{path, header, r.Header}
		}
		if r.Header.Plan == nil {
			r.Header = header
		}
		return r, nil
	})
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &FormatError{Path: dir, Message: "contains no " + FileName}
	case err != nil:
		return err
	case plan == nil:
		return nil
	}
	whole := *r.Header.Plan
	switch {
	case r.parts == 0:
		whole = *plan
	case plan.From != whole.From || plan.Count != whole.Count:
		return &PlanError{path, *plan, whole}
	case plan.Shards != whole.Shards:
		// Shards of different sizes may be all seeds together, but no shard is then missing by name.
		whole.Shards = 1
	}
	whole.Shard = 0
	r.Header.Plan = &whole
	r.parts++
	return nil
}

// pathsMax is how many paths a line has.
const pathsMax = 1000

// store writes the results to a directory: first those with the details, which the others refer to.
func (r *Results) store(dir string) error {
	header := r.Header
	plan := *header.Plan
	plan.Shard, plan.Shards = 0, 1
	header.Plan = &plan
	store, err := Open(dir, header)
	if err != nil {
		return err
	}
	defer store.Close()
	for _, way := range r.ways {
		if example := way.example; r.wayOf(example.Seed) == way && !store.results.Ran(example.Seed) {
			if err := store.Add(r.confirmed(example)); err != nil {
				return err
			}
		}
	}
	for _, seed := range r.AllSeeds() {
		if !store.results.Ran(seed) {
			if err := store.Add(r.line(seed)); err != nil {
				return err
			}
		}
	}
	return store.writePaths(r)
}

// line is the result of a seed, without details.
func (r *Results) line(seed int64) *Result {
	result := r.confirmed(&Result{Seed: seed, Result: r.Verdict(seed), Hash: r.seeds[seed].hash})
	if way := r.wayOf(seed); way != nil {
		result.Like = &way.example.Seed
	}
	return result
}

// confirmed is a result with what is known of its confirmation now.
func (r *Results) confirmed(result *Result) *Result {
	out := *result
	doubt := r.doubts[out.Seed]
	out.Needs = r.needs[out.Seed]
	out.Paths, out.Confirmed, out.Unconfirmed, out.OpenOrder = nil, r.seeds[out.Seed].confirmed, doubt.what, doubt.openOrder
	return &out
}

// writePaths adds the paths of other results.
func (s *Store) writePaths(of *Results) error {
	var paths []Hash
	for path := range of.paths {
		if _, known := s.results.paths[path]; !known {
			paths = append(paths, path)
			s.results.paths[path] = struct{}{}
		}
	}
	slices.Sort(paths)
	for some := range slices.Chunk(paths, pathsMax) {
		if err := s.write(addition{Paths: some}); err != nil {
			return err
		}
	}
	return nil
}
