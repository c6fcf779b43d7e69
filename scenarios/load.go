package scenarios

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/spelling"
)

// FileSizeMax bounds a scenario file; larger ones are surely something else.
const FileSizeMax = 1 << 20

// Compiler checks a CEL expression. An error that is an *Error keeps its Try.
type Compiler func(expr string) error

// Options changes how a scenario is read.
type Options struct {
	// CompileCEL, if set, is called for every CEL expression, and its errors are reported like all
	// others, at the place of the expression.
	CompileCEL Compiler
}

// Load reads a scenario file. The error is an ErrorList with everything that is wrong.
func Load(path string) (*Scenario, error) { return LoadWith(path, Options{}) }

// LoadWith is Load with options.
func LoadWith(path string, options Options) (*Scenario, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, ErrorList{err}
	}
	return ParseWith(path, data, options)
}

// Parse reads a scenario from memory; file is its name in errors.
func Parse(file string, data []byte) (*Scenario, error) {
	return ParseWith(file, data, Options{})
}

// ParseWith is Parse with options. It never returns a scenario together with an error.
func ParseWith(file string, data []byte, options Options) (*Scenario, error) {
	root, err := parseDocument(data)
	if err != nil {
		err.File = file
		return nil, ErrorList{err}
	}
	s := &Scenario{
		File:      file,
		positions: map[string]Position{},
		texts:     map[string]*sourceText{},
		lines:     strings.Split(string(data), "\n"),
	}
	d := newDecoder(s)
	d.document(root)
	v := validator{scenario: s, found: d.errs, compile: options.CompileCEL, cel: d.cel}
	if !d.foreign {
		s.applyDefaults()
		v.run()
	}
	if err := v.found.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// readFile reads at most FileSizeMax bytes, so that a device or a log file given by mistake ends
// in an error and not in all memory.
func readFile(path string) ([]byte, *Error) {
	fail := func(try, format string, args ...any) *Error {
		e := problem(try, format, args...)
		e.File = path
		return e
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fail(siblingFile(path), "no such file")
	}
	if err == nil && info.IsDir() {
		return nil, fail(filepath.Join(path, "*.yaml"), "is a directory, not a scenario file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fail("check the path and the permissions of the file", "%s", pathless(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, FileSizeMax+1))
	if err != nil {
		return nil, fail("check that it is a regular file", "cannot be read: %s", pathless(err))
	}
	return data, nil
}

// pathless is the error without the "open x.yaml:" in front, which the caller prints itself.
func pathless(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// siblingFile names the file in the same directory that was probably meant.
func siblingFile(path string) string {
	const listing = "kubestep list, which names the scenarios that come with kubestep"
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return listing
	}
	var names []string
	for _, entry := range entries {
		if ext := filepath.Ext(entry.Name()); ext == ".yaml" || ext == ".yml" {
			names = append(names, entry.Name())
		}
	}
	for _, name := range []string{filepath.Base(path), filepath.Base(path) + ".yaml"} {
		if slices.Contains(names, name) {
			return filepath.Join(dir, name)
		}
		if near := spelling.Nearest(name, names); near != "" {
			return filepath.Join(dir, near)
		}
	}
	return listing
}

// parseDocument returns the root node of the only YAML document in data.
func parseDocument(data []byte) (*yaml.Node, *Error) {
	if err := textOnly(data); err != nil {
		return nil, err
	}
	nodes := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	switch err := decodeNode(nodes, &first); {
	case err == io.EOF:
		return nil, problem(scenarioStub, "holds no scenario")
	case err != nil:
		return nil, syntaxError(err, string(data))
	}
	switch err := decodeNode(nodes, &second); {
	case err == nil:
		e := problem("put each scenario into a file of its own", "holds more than one YAML document")
		e.Position = Position{Line: second.Line, Column: second.Column}
		return nil, e
	case err != io.EOF:
		return nil, syntaxError(err, string(data))
	}
	if len(first.Content) != 1 || first.Content[0].ShortTag() == "!!null" {
		return nil, problem(scenarioStub, "holds no scenario")
	}
	return first.Content[0], nil
}

// scenarioStub is the way out of an empty file.
const scenarioStub = "start from a shipped scenario; kubestep list names them"

// textOnly rejects what cannot be YAML, with words that a user of a wrong file understands.
func textOnly(data []byte) *Error {
	if len(data) > FileSizeMax {
		return problem("check that this is a scenario, and move large data out of it",
			"is larger than %d MiB", FileSizeMax>>20)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return problem("a text file in UTF-8", "is a binary file")
	}
	for line, text := range bytes.Split(data, []byte("\n")) {
		if !utf8.Valid(text) {
			e := problem("save the file as UTF-8", "is not UTF-8 text")
			e.Line = line + 1
			return e
		}
	}
	return nil
}
