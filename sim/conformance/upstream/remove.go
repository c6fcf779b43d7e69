package upstream

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// removeOthers removes the files that are not part of the copies, and the folders that are then empty, from the folders at the
// top that hold copies, such as test and pkg. The files beside these, and folders of others such as the logs, stay.
func (c *copier) removeOthers() error {
	tops := map[string]bool{}
	for name := range c.written {
		if top, _, below := strings.Cut(name, "/"); below {
			tops[top] = true
		}
	}
	for top := range tops {
		var folders []string
		err := fs.WalkDir(os.DirFS(c.into), top, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir():
				folders = append(folders, name)
				return nil
			case c.written[name]:
				return nil
			}
			return os.Remove(filepath.Join(c.into, filepath.FromSlash(name)))
		})
		if err != nil {
			return err
		}
		if err := c.removeEmpty(folders); err != nil {
			return err
		}
	}
	return nil
}

// removeEmpty removes those of the folders in which nothing is; each comes before those below it.
func (c *copier) removeEmpty(folders []string) error {
	for i := len(folders) - 1; i >= 0; i-- {
		folder := filepath.Join(c.into, filepath.FromSlash(folders[i]))
		entries, err := os.ReadDir(folder)
		if err == nil && len(entries) == 0 {
			err = os.Remove(folder)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
