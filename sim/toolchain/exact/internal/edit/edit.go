// Package edit changes source files of others on their way into the compiler, for the programs that write an overlay for
// go build. Nothing of those files is in this repository: an edit names the text that it replaces, and fails when that
// text does not stand exactly once in its file, so that another version is never compiled unnoticed.
package edit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// An Edit replaces text of a file.
type Edit struct {
	// File is the path below the root of the sources.
	File string
	// Anchor must stand in the file exactly once.
	Anchor string
	// Text replaces the anchor.
	Text string
	// Why says what would happen without it.
	Why string
	// Proof names what differs without it, where the program that writes the overlay has a test for that.
	Proof string
}

// Sources are the files that edits are written for.
type Sources struct {
	// Root is the folder that they are in.
	Root string
	// Version is that of the sources, Written the one that the edits are written for; both are for errors.
	Version, Written string
}

// Path is where a file is.
func (s Sources) Path(file string) string { return filepath.Join(s.Root, filepath.FromSlash(file)) }

// Apply returns the edited text of each file that the edits name.
func (s Sources) Apply(edits []Edit) (map[string]string, error) {
	files := map[string]string{}
	for _, e := range edits {
		text, ok := files[e.File]
		if !ok {
			content, err := os.ReadFile(s.Path(e.File))
			if err != nil {
				return nil, fmt.Errorf("edit of %s (%s): %w", e.File, e.Why, err)
			}
			text = string(content)
		}
		if n := strings.Count(text, e.Anchor); n != 1 {
			return nil, fmt.Errorf("edit of %s (%s): %q stands there %d times, not once; it is written for %s, this is %s",
				e.File, e.Why, e.Anchor, n, s.Written, s.Version)
		}
		files[e.File] = strings.Replace(text, e.Anchor, e.Text, 1)
	}
	return files, nil
}

// Overlay maps the files that the compiler asks for to those that it gets, as go build -overlay reads it. An empty path
// stands for no file.
type Overlay map[string]string

// Add writes texts below a folder, and lists them as the files of a root. Both are absolute paths.
func (o Overlay) Add(root, folder string, texts map[string]string) error {
	for file, text := range texts {
		path := filepath.Join(folder, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
		o[filepath.Join(root, filepath.FromSlash(file))] = path
	}
	return nil
}

// overlay is the form of the file.
type overlay struct{ Replace Overlay }

// Write writes the file for -overlay.
func (o Overlay) Write(path string) error {
	list, err := json.MarshalIndent(overlay{o}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(list, '\n'), 0o644)
}

// Read reads a file for -overlay.
func Read(path string) (Overlay, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list overlay
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list.Replace, nil
}
