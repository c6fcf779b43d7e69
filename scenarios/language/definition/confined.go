package definition

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// A scenario that somebody else wrote may not look around on the machine of who opens it. The files that it names are in its own
// repository: in the nearest folder above it that has one of these, or in its own folder if there is none.
var ofRepository = []string{".git", "go.mod"}

// confined are the files that match a pattern relative to a folder, and that are in its repository, behind all links.
func confined(dir, pattern string) ([]string, *source.Error) {
	const try = "a path relative to the directory of this file, inside of its repository"
	if filepath.IsAbs(pattern) {
		return nil, source.Problem(try, "%s: is not relative to the scenario", pattern)
	}
	root, err := repository(dir)
	if err != nil {
		return nil, source.Problem(try, "%s: %v", pattern, err)
	}
	pattern = filepath.Join(dir, pattern)
	paths, err := input.Matching(root, pattern)
	switch {
	case errors.Is(err, input.ErrOutside):
		return nil, source.Problem(try, "%s: is outside of %s, the repository of the scenario", pattern, root)
	case err != nil || len(paths) == 0:
		return nil, source.Problem(try, "%s: no such file", pattern)
	}
	return paths, nil
}

// repository is the folder whose files a scenario in dir may name.
func repository(dir string) (string, error) {
	own, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for folder := own; ; folder = filepath.Dir(folder) {
		for _, name := range ofRepository {
			if _, err := input.Stat(filepath.Join(folder, name)); !errors.Is(err, fs.ErrNotExist) {
				return folder, nil
			}
		}
		if folder == filepath.Dir(folder) {
			return own, nil
		}
	}
}
