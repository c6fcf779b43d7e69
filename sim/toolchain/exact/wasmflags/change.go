package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

// change is what the overlay has of a module.
type change struct {
	texts   map[string]string
	without []string
}

// apply makes the changes to a module.
func (m module) apply(from edit.Module) (change, error) {
	if from.Version != m.written {
		return change{}, fmt.Errorf("the stand-ins for %s are written for %s, and go.mod selects %s: compare the files that "+
			"sim/toolchain/exact/wasmflags/modules.go names in both versions, and change the version there", m.path, m.written, from.Version)
	}
	sources := edit.Sources{Root: from.Dir, Version: m.path + " " + from.Version, Written: m.written}
	texts, err := sources.Apply(m.edits)
	if err != nil {
		return change{}, err
	}
	for file, lines := range m.lines {
		text, err := os.ReadFile(sources.Path(file))
		if err != nil {
			return change{}, fmt.Errorf("the file without lines: %w", err)
		}
		if texts[file] = lines.ReplaceAllString(string(text), ""); len(texts[file]) == len(text) {
			return change{}, fmt.Errorf("%s: no line matches %s", file, lines)
		}
	}
	for _, file := range m.windows {
		text, err := os.ReadFile(sources.Path(file))
		if err != nil {
			return change{}, fmt.Errorf("the file for Windows: %w", err)
		}
		name := strings.TrimSuffix(file, "_windows.go") + "_js.go"
		texts[name] = strings.Replace(string(text), "//go:build windows\n", "//go:build js\n", 1)
	}
	for _, file := range m.without {
		if _, err := os.Stat(sources.Path(file)); err != nil {
			return change{}, fmt.Errorf("the file to leave out: %w", err)
		}
	}
	for file := range m.inserts {
		if _, err := os.Stat(sources.Path(file)); err == nil {
			return change{}, fmt.Errorf("%s %s has a file %s now", m.path, from.Version, file)
		}
	}
	maps.Copy(texts, m.inserts)
	return change{texts, m.without}, nil
}

// write makes the link to a module, writes the edited files to a folder, and adds both to the overlay.
func (c change) write(overlay edit.Overlay, from, link, folder string) error {
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return err
	}
	if err := os.Symlink(from, link); err != nil {
		return err
	}
	for _, file := range c.without {
		overlay[filepath.Join(link, filepath.FromSlash(file))] = ""
	}
	return overlay.Add(link, folder, c.texts)
}
