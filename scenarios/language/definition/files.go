package definition

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// A scenario file can name the files with its definitions, as they are in the repository of an operator:
//
//	cluster:
//	  definitions: ../config/crd/bases/*.yaml
//
// Included puts their text in that place, on the same line, so that the text of a scenario is complete wherever it goes, to
// another process or into a page, and every position in the file is still right. The descriptions in schemas, often most of a
// definition, are left out.

// IsFiles reports whether a value of spec.cluster.definitions names files, and is not a text of manifests.
func IsFiles(definitions string) bool {
	if definitions == "" || strings.Contains(definitions, "\n") {
		return false
	}
	for _, path := range strings.Fields(definitions) {
		if !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)) {
			return false
		}
	}
	return true
}

// field is the one that names the files.
const field = "spec.cluster.definitions"

// Included is a scenario file with the manifests of the files that it names, which keeps their places. A text that has errors
// stays as it is.
func Included(path string, data []byte) (*source.File, *source.Error) {
	whole := source.NewFile(path, data)
	var document yaml.Node
	if source.DecodeNode(yaml.NewDecoder(bytes.NewReader(data)), &document) != nil || len(document.Content) == 0 {
		return whole, nil
	}
	node := document.Content[0]
	for name := range strings.SplitSeq(field, ".") {
		if node = source.Field(node, name); node == nil {
			return whole, nil
		}
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	if node.Style != 0 || !IsFiles(node.Value) || node.Line > len(lines) {
		return whole, nil
	}
	at, found := bytes.CutPrefix(lines[node.Line-1][min(node.Column-1, len(lines[node.Line-1])):], []byte(node.Value))
	if !found {
		return whole, nil
	}
	read, err := readManifests(filepath.Dir(path), node.Value)
	if err != nil {
		if err.In == "" {
			err.File, err.Position, err.Path = path, source.Position{Line: node.Line, Column: node.Column}, field
		}
		return nil, err
	}
	manifests := read.text.String()
	quoted, _ := json.Marshal(manifests) // a string has a JSON form
	lines[node.Line-1] = slices.Concat(lines[node.Line-1][:node.Column-1], quoted, at)
	whole = source.NewFile(path, bytes.Join(lines, nil))
	whole.PutElsewhere(field, read.find(manifests))
	return whole, nil
}

// manifests are those of files: their text, and where each node of it was.
type manifests struct {
	text   bytes.Buffer
	places []source.Position // in the order of the text
}

// readManifests reads the files that match the patterns, relative to a directory, in the order of their names.
func readManifests(dir, patterns string) (*manifests, *source.Error) {
	out := &manifests{}
	encoder := yaml.NewEncoder(&out.text)
	encoder.SetIndent(2)
	for _, pattern := range strings.Fields(patterns) {
		paths, err := confined(dir, pattern)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if err := out.read(path, encoder); err != nil {
				return nil, err
			}
		}
	}
	_ = encoder.Close() // writing to memory cannot fail
	return out, nil
}

// read writes the documents of a file without what only people read.
func (m *manifests) read(path string, to *yaml.Encoder) *source.Error {
	fail := func(try string, format string, args ...any) *source.Error {
		e := source.Problem(try, format, args...)
		e.Move(source.Position{In: path})
		return e
	}
	file, err := input.Open(path, input.Definitions)
	var refused *input.FileError
	switch {
	case errors.As(err, &refused):
		return fail(refused.Try, "%s", refused.Problem)
	case err != nil:
		return fail("check the path and the permissions of the file", "%v", err)
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return fail("check that it is a regular file", "cannot be read: %v", err)
	}
	if e := source.TextOnly(data); e != nil {
		e.Move(source.Position{Line: e.Line, In: path})
		return e
	}
	documents := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document yaml.Node
		switch err := source.DecodeNode(documents, &document); {
		case err == io.EOF:
			return nil
		case err != nil:
			e := source.SyntaxError(err, string(data))
			e.Move(source.Position{Line: e.Line, Column: e.Column, In: path})
			return e
		}
		withoutDescriptions(&document, false)
		m.places = append(m.places, places(&document, path)...)
		if err := to.Encode(&document); err != nil {
			return fail("plain YAML", "%v", err)
		}
	}
}

// withoutDescriptions removes the descriptions in schemas. A default or an example may have a field of that name.
func withoutDescriptions(node *yaml.Node, schema bool) {
	node.HeadComment, node.LineComment, node.FootComment = "", "", ""
	if node.Kind != yaml.MappingNode {
		for _, child := range node.Content {
			withoutDescriptions(child, schema)
		}
		return
	}
	var kept []*yaml.Node
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if schema && key.Value == "description" && value.Kind == yaml.ScalarNode {
			continue
		}
		key.HeadComment, key.FootComment = "", ""
		if key.Value != "default" && key.Value != "example" {
			withoutDescriptions(value, schema || key.Value == "openAPIV3Schema")
		}
		kept = append(kept, key, value)
	}
	node.Content = kept
}
