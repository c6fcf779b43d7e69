package sweep

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Merge joins the results in several directories, which must be of one scenario. out, if it is not empty, is
// a directory that gets all of them.
func Merge(dirs []string, out string) (*Results, error) {
	var all *Results
	for _, dir := range dirs {
		path := filepath.Join(dir, FileName)
		results, _, err := read(path)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return nil, &FormatError{Path: dir, Message: "contains no " + FileName}
		case err != nil:
			return nil, err
		case results == nil:
			return nil, &FormatError{path, 1, "not the results of a sweep"}
		case all == nil:
			all = newResults(results.Header)
		case !results.Header.matches(all.Header):
			return nil, &OtherError{path, results.Header, all.Header}
		}
		for _, seed := range slices.Sorted(maps.Keys(results.BySeed)) {
			all.add(results.BySeed[seed])
		}
		all.Differing = append(all.Differing, results.Differing...)
	}
	if out == "" {
		return all, nil
	}
	store, err := Open(out, all.Header)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	for _, seed := range slices.Sorted(maps.Keys(all.BySeed)) {
		if store.results.BySeed[seed] == nil {
			if err := store.Add(all.BySeed[seed]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}
