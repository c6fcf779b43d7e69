// Package notices collects the licenses of the modules that are compiled into a program. Most of them ask that whoever
// distributes a binary passes their text on.
package notices

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// Module is a module, or Go itself, with the texts that belong to the packages that are compiled in.
type Module struct {
	Path, Version string
	// Texts are the files with licenses and notices, by their path in the module.
	Texts map[string][]byte
	// statement is the license that the module states instead of having a file with its text.
	statement string
}

// stated are modules that have no file with a license, and state its name in a line of another file. That file is passed on. A new
// entry needs somebody who has read the file.
var stated = map[string]struct{ file, license string }{
	// Needed on Windows only, by Bubble Tea.
	"github.com/mattn/go-localereader": {"README.md", "MIT"},
}

// wanted are the names of files that have to be passed on.
var wanted = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// license are the names of those among them that are licenses.
var license = regexp.MustCompile(`(?i)^(licen[cs]e|copying)`)

// listed is what go list -json says of a package.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// Read reads what go list -deps -json prints of the packages of a program, and the files that it names: the license in the folder
// of each package, and in those above it up to the root of its module. Goroot is the folder of Go, whose license covers the
// standard library. The main module is left out.
func Read(list io.Reader, goroot, goversion string) ([]Module, error) {
	modules := map[string]*Module{"std": {Path: "std", Version: goversion, Texts: map[string][]byte{}}}
	if err := modules["std"].add(goroot, goroot); err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(list); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if p.Standard || p.Module == nil || p.Module.Main {
			continue
		}
		m := modules[p.Module.Path]
		if m == nil {
			m = &Module{Path: p.Module.Path, Version: p.Module.Version, Texts: map[string][]byte{}}
			modules[p.Module.Path] = m
		}
		if err := m.add(p.Module.Dir, p.Dir); err != nil {
			return nil, err
		}
		if err := m.addStatement(p.Module.Dir); err != nil {
			return nil, err
		}
	}
	all := []Module{}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		if len(modules[name].Texts) == 0 {
			return nil, fmt.Errorf("%s %s has no license", name, modules[name].Version)
		}
		all = append(all, *modules[name])
	}
	return all, nil
}

// add reads the files of a folder and of those above it.
func (m *Module) add(root, folder string) error {
	for ; ; folder = filepath.Dir(folder) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if entry.IsDir() || !wanted.MatchString(entry.Name()) || filepath.Ext(entry.Name()) == ".go" {
				continue
			}
			name, err := filepath.Rel(root, filepath.Join(folder, entry.Name()))
			if err != nil {
				return err
			}
			if m.Texts[filepath.ToSlash(name)], err = os.ReadFile(filepath.Join(folder, entry.Name())); err != nil {
				return err
			}
		}
		if len(folder) <= len(root) {
			return nil
		}
	}
}

// addStatement reads the file in which a module states its license, if it has no file with the text.
func (m *Module) addStatement(root string) error {
	s, ok := stated[m.Path]
	if !ok || len(m.Texts) > 0 {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(root, s.file))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if strings.TrimSpace(line) == s.license {
			m.Texts[s.file], m.statement = text, s.license
			return nil
		}
	}
	return fmt.Errorf("%s %s: %s no longer states the license %s", m.Path, m.Version, s.file, s.license)
}

// Licenses returns the SPDX identifiers of the licenses that the texts are, sorted. It is empty when a text is mostly unknown.
func (m Module) Licenses() []string {
	// The share of a text, in percent, that must be the words of licenses. The rest is who holds the rights.
	const known = 75
	if m.statement != "" {
		return []string{m.statement}
	}
	found := map[string]bool{}
	for name, text := range m.Texts {
		if !license.MatchString(path.Base(name)) {
			continue
		}
		coverage := licensecheck.Scan(text)
		if coverage.Percent < known {
			return nil
		}
		for _, match := range coverage.Match {
			found[match.ID] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Write writes all texts, each once, below the modules that it is from.
func Write(out io.Writer, program string, modules []Module) error {
	owners, texts := map[string][]string{}, []string{}
	for _, m := range modules {
		for _, name := range slices.Sorted(maps.Keys(m.Texts)) {
			text := string(bytes.TrimRight(bytes.ReplaceAll(m.Texts[name], []byte("\r\n"), []byte("\n")), "\n\t "))
			if owners[text] == nil {
				texts = append(texts, text)
			}
			owners[text] = append(owners[text], fmt.Sprintf("%s %s (%s)", m.Path, m.Version, name))
		}
	}
	slices.SortStableFunc(texts, func(a, b string) int { return cmp.Compare(owners[a][0], owners[b][0]) })
	if _, err := fmt.Fprintf(out, "%s contains the modules below. These are their licenses and notices.\n", program); err != nil {
		return err
	}
	line := strings.Repeat("=", 80)
	for _, text := range texts {
		if _, err := fmt.Fprintf(out, "\n%s\n%s\n%s\n\n%s\n", line, strings.Join(owners[text], "\n"), line, text); err != nil {
			return err
		}
	}
	return nil
}
