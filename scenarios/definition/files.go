package definition

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/source"
	"github.com/kubestep/kubestep/sim/input"
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

// Included is the text of a scenario file with the manifests of the files that it names. A text that has errors stays as it
// is.
func Included(path string, data []byte) ([]byte, *source.Error) {
	var document yaml.Node
	if source.DecodeNode(yaml.NewDecoder(bytes.NewReader(data)), &document) != nil || len(document.Content) == 0 {
		return data, nil
	}
	node := document.Content[0]
	for _, name := range []string{"spec", "cluster", "definitions"} {
		if node = valueOf(node, name); node == nil {
			return data, nil
		}
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	if node.Style != 0 || !IsFiles(node.Value) || node.Line > len(lines) {
		return data, nil
	}
	at, found := bytes.CutPrefix(lines[node.Line-1][min(node.Column-1, len(lines[node.Line-1])):], []byte(node.Value))
	if !found {
		return data, nil
	}
	manifests, err := readManifests(filepath.Dir(path), node.Value)
	if err != nil {
		err.File, err.Position, err.Path = path, source.Position{Line: node.Line, Column: node.Column}, "spec.cluster.definitions"
		return nil, err
	}
	quoted, _ := json.Marshal(manifests) // a string has a JSON form
	lines[node.Line-1] = slices.Concat(lines[node.Line-1][:node.Column-1], quoted, at)
	return bytes.Join(lines, nil), nil
}

// readManifests reads the files that match the patterns, relative to a directory, in the order of their names.
func readManifests(dir, patterns string) (string, *source.Error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	for _, pattern := range strings.Fields(patterns) {
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(dir, pattern)
		}
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			return "", source.Problem("a path relative to the directory of this file", "%s: no such file", pattern)
		}
		for _, path := range paths {
			if err := readDefinitions(path, encoder); err != nil {
				return "", source.Problem("check the file", "%s: %v", path, err)
			}
		}
	}
	_ = encoder.Close() // writing to memory cannot fail
	return out.String(), nil
}

// definitionSizeMax bounds a file with definitions, whose descriptions count here: etcd takes 1.5 MiB.
const definitionSizeMax = 4 << 20

// readDefinitions writes the documents of a file without what only people read.
func readDefinitions(path string, to *yaml.Encoder) error {
	file, err := input.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	documents := yaml.NewDecoder(io.LimitReader(file, definitionSizeMax))
	for {
		var document yaml.Node
		switch err := source.DecodeNode(documents, &document); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		withoutDescriptions(&document, false)
		if err := to.Encode(&document); err != nil {
			return err
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

// valueOf is the value of a field of a mapping; nil if it is not there.
func valueOf(mapping *yaml.Node, name string) *yaml.Node {
	if mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return nil
}
