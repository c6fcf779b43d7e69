package edit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The go command takes no overlay over files in its module cache. So a changed module is a link to the cache that the module file
// names as the module's replacement, and the edited files are an overlay over the link.

// ModuleFile writes a copy of the main module's file with more replacements, and its sums, to a folder. The flag -modfile takes
// its go.mod.
func ModuleFile(command, folder, replacements string) error {
	file, err := exec.Command(command, "env", "GOMOD").Output()
	if err != nil {
		return fmt.Errorf("%s env GOMOD: %w", command, err)
	}
	from := filepath.Dir(strings.TrimSpace(string(file)))
	for name, more := range map[string]string{"go.mod": replacements, "go.sum": ""} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), append(text, more...), 0o644); err != nil {
			return err
		}
	}
	return nil
}
