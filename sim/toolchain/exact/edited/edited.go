// Package edited compiles programs of this module with edited files of the modules that they use, on top of the flags of another build,
// such as the exact one. Only packages with edited files, and those that import them, are compiled again: a package of a module keeps its
// place in Go's build cache as long as its files stay the same.
//
//	edits --Flags--> GOFLAGS --go build--> a program with the edits
package edited

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

// An Edit replaces text of a file, see its fields. Its File is the path below the root of the module.
type Edit = edit.Edit

// Module is a module with edited files.
type Module struct {
	// Path is that of the module, and Written the version that the edits are written for: with another one, they are not applied.
	Path, Written string
	Edits         []Edit
	// Inserts are the texts of files to add, by their paths below the root of the module.
	Inserts map[string]string
}

// Files are the edited files of modules, by their paths below the roots, in the order of the modules. It is an error if the main module
// requires another version, or if a text that an edit replaces does not stand in its file exactly once.
func Files(command string, modules ...Module) ([]map[string]string, error) {
	found, err := selected(command, modules)
	if err != nil {
		return nil, err
	}
	var all []map[string]string
	for _, m := range modules {
		files, err := m.apply(found[m.Path])
		if err != nil {
			return nil, err
		}
		all = append(all, files)
	}
	return all, nil
}

// Flags writes what go build needs to a folder, whose path must be absolute, and returns the flags, as GOFLAGS takes them. They are those
// of another build, with one overlay for both.
func Flags(command, folder, flags string, modules ...Module) (string, error) {
	found, err := selected(command, modules)
	if err != nil {
		return "", err
	}
	overlay, rest, err := base(flags)
	if err != nil {
		return "", err
	}
	replacements := "\n"
	for _, m := range modules {
		from := found[m.Path]
		files, err := m.apply(from)
		if err != nil {
			return "", err
		}
		maps.Copy(files, m.Inserts)
		// The go command takes no overlay over its module cache, but one over a link to it.
		link := filepath.Join(folder, "modules", filepath.FromSlash(m.Path))
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			return "", err
		}
		if err := os.Symlink(from.Dir, link); err != nil {
			return "", err
		}
		if err := overlay.Add(link, filepath.Join(folder, "edited", filepath.FromSlash(m.Path)), files); err != nil {
			return "", err
		}
		replacements += fmt.Sprintf("replace %s %s => %s\n", m.Path, from.Version, link)
	}
	if err := edit.ModuleFile(command, folder, replacements); err != nil {
		return "", err
	}
	list := filepath.Join(folder, "overlay.json")
	rest = append(rest, "-overlay="+list, "-modfile="+filepath.Join(folder, "go.mod"))
	return strings.Join(rest, " "), overlay.Write(list)
}

// selected are the modules that the go command selects.
func selected(command string, modules []Module) (map[string]edit.Module, error) {
	var paths []string
	for _, m := range modules {
		paths = append(paths, m.Path)
	}
	return edit.Modules(command, paths...)
}

// apply returns the edited files of a module.
func (m Module) apply(found edit.Module) (map[string]string, error) {
	if found.Version != m.Written {
		return nil, fmt.Errorf("the edits of %s are written for %s, but the main module requires %s", m.Path, m.Written, found.Version)
	}
	return edit.Sources{Root: found.Dir, Version: path.Join(m.Path, found.Version), Written: m.Written}.Apply(m.Edits)
}

// base splits the flags of another build into the files of its overlay and the other flags.
func base(flags string) (edit.Overlay, []string, error) {
	overlay := edit.Overlay{}
	rest := strings.Fields(flags)
	for _, flag := range rest {
		if strings.HasPrefix(flag, "-modfile=") {
			return nil, nil, fmt.Errorf("another module file is in use: %s", flag)
		}
		if list, ok := strings.CutPrefix(strings.Trim(flag, "'"), "-overlay="); ok {
			known, err := edit.Read(list)
			if err != nil {
				return nil, nil, err
			}
			overlay = known
		}
	}
	rest = slices.DeleteFunc(rest, func(flag string) bool { return strings.HasPrefix(strings.Trim(flag, "'"), "-overlay=") })
	return overlay, rest, nil
}
