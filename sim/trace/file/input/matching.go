package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrOutside means that a file which another file names is not in the folder that it has to be in.
var ErrOutside = errors.New("outside of the folder")

// Matching are the files that match a pattern, in the order of their names. Each of them is in a folder, also when all links are
// followed; the error is ErrOutside otherwise, and it does not tell whether there is such a file.
func Matching(folder, pattern string) ([]string, error) {
	full, err := filepath.Abs(pattern)
	if err != nil || !isWithin(folder, full) {
		return nil, ErrOutside
	}
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	folder, err = filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, err
		}
		if real, err = filepath.Abs(real); err != nil || !isWithin(folder, real) {
			return nil, ErrOutside
		}
	}
	return paths, nil
}

// isWithin reports whether a path is below a folder, as far as their names say.
func isWithin(folder, path string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

// Stat says what is at a path, without opening it.
func Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }
