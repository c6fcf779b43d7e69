package edit

import (
	"encoding/json"
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

// A Module is one that the go command has selected. Dir is the folder of its source.
type Module struct{ Path, Version, Dir string }

// Modules asks the go command for modules of the main module, by their paths. It downloads those that the module cache does not
// hold: on a new machine nothing has compiled them yet.
func Modules(command string, paths ...string) (map[string]Module, error) {
	found, err := listed(command, paths)
	if err != nil {
		return nil, err
	}
	var missing []string
	for _, path := range paths {
		if found[path].Dir == "" {
			missing = append(missing, path)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	if _, err := output(command, append([]string{"mod", "download"}, missing...)); err != nil {
		return nil, err
	}
	if found, err = listed(command, paths); err != nil {
		return nil, err
	}
	for _, path := range missing {
		if found[path].Dir == "" {
			return nil, fmt.Errorf("%s is not in the module cache after %s mod download", path, command)
		}
	}
	return found, nil
}

// listed returns the modules as they are now: Dir is empty where the module cache does not hold one.
func listed(command string, paths []string) (map[string]Module, error) {
	text, err := output(command, append([]string{"list", "-m", "-json=Path,Version,Dir"}, paths...))
	if err != nil {
		return nil, err
	}
	found := map[string]Module{}
	for decoder := json.NewDecoder(strings.NewReader(string(text))); decoder.More(); {
		var m Module
		if err := decoder.Decode(&m); err != nil {
			return nil, err
		}
		found[m.Path] = m
	}
	return found, nil
}

// output runs the go command without flags of an exact build: there is no overlay yet.
func output(command string, args []string) ([]byte, error) {
	run := exec.Command(command, args...)
	run.Env, run.Stderr = append(os.Environ(), "GOFLAGS=", "GOWORK=off"), os.Stderr
	text, err := run.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", command, strings.Join(args[:2], " "), err)
	}
	return text, nil
}
