package format

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// FileSizeMax bounds a scenario file: that of a session in which somebody has installed a few charts has 10 MiB.
var FileSizeMax = input.Scenario.Budget()

// signsMax bounds the characters of a scenario that may begin a value. The reader of YAML needs 200 bytes for each value, so 32 MiB
// of brackets would take 6 GiB.
const signsMax = 4_000_000

// MistakesOf finds errors that the format cannot find. The error is a source.ErrorList.
type MistakesOf func(*Scenario) error

// Load reads a scenario file whose steps have these verbs. The error is a source.ErrorList with every error that the
// file itself shows; Prepare in package runner checks names and expressions. A file with errors does not run, so Load
// calls others as well, to report all errors at once.
func Load(path string, verbs Verbs, others ...MistakesOf) (*Scenario, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, source.ErrorList{err}
	}
	file, err := definition.Included(path, data)
	if err != nil {
		return nil, source.ErrorList{err}
	}
	return parse(file, verbs, others...)
}

// Parse reads a scenario from memory; file is its name in errors. It never returns a scenario together with an error.
func Parse(file string, data []byte, verbs Verbs, others ...MistakesOf) (*Scenario, error) {
	return parse(source.NewFile(file, data), verbs, others...)
}

func parse(file *source.File, verbs Verbs, others ...MistakesOf) (*Scenario, error) {
	root, err := parseDocument(file.Source())
	if err != nil {
		err.File = file.Path()
		return nil, source.ErrorList{err}
	}
	s := &Scenario{File: file}
	d := decoder{scenario: s, verbs: verbs}
	d.document(root)
	v := validator{scenario: s, verbs: verbs, found: d.errs}
	if !d.foreign {
		s.applyDefaults()
		v.run()
	}
	if len(v.found) == 0 {
		return s, nil
	}
	for _, mistakes := range others {
		var more source.ErrorList
		if !d.foreign && errors.As(mistakes(s), &more) {
			v.found = append(v.found, more...)
		}
	}
	return nil, v.found.Err()
}

// readFile reads a file that is a scenario or unknown.
func readFile(path string) ([]byte, *source.Error) {
	fail := func(try, format string, args ...any) *source.Error {
		e := source.Problem(try, format, args...)
		e.File = path
		return e
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if strings.HasPrefix(path, "-") {
			return nil, fail("kubestep --help for the flags, or ./"+path+" for a file of that name", "no such file")
		}
		return nil, fail(siblingFile(path), "no such file")
	}
	if err == nil && info.IsDir() {
		return nil, fail(filepath.Join(path, "*.yaml"), "is a directory, not a scenario file")
	}
	file, err := input.Open(path, input.Scenario)
	var refused *input.FileError
	switch {
	case errors.As(err, &refused):
		return nil, fail(refused.Try, "%s", refused.Problem)
	case err != nil:
		return nil, fail("check the path and the permissions of the file", "%s", pathless(err))
	}
	defer file.Close()
	data, err := io.ReadAll(file)
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
	const listing = "kubestep list to see the scenarios that come with kubestep"
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
func parseDocument(data []byte) (*yaml.Node, *source.Error) {
	if err := textOnly(data); err != nil {
		return nil, err
	}
	nodes := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	switch err := source.DecodeNode(nodes, &first); {
	case err == io.EOF:
		return nil, source.Problem(scenarioStub, "contains no scenario")
	case err != nil:
		return nil, source.SyntaxError(err, string(data))
	}
	switch err := source.DecodeNode(nodes, &second); {
	case err == nil:
		e := source.Problem("put each scenario into a file of its own", "contains more than one YAML document")
		e.Position = source.Position{Line: second.Line, Column: second.Column}
		return nil, e
	case err != io.EOF:
		return nil, source.SyntaxError(err, string(data))
	}
	if len(first.Content) != 1 || first.Content[0].ShortTag() == "!!null" {
		return nil, source.Problem(scenarioStub, "contains no scenario")
	}
	return first.Content[0], source.CheckAliases(&first)
}

// scenarioStub is the way out of an empty file.
const scenarioStub = "start from a scenario of kubestep list"

// textOnly rejects what cannot be YAML, with words that a user of a wrong file understands.
func textOnly(data []byte) *source.Error {
	const tryLess = "check that this is a scenario, and remove large data"
	if int64(len(data)) > FileSizeMax {
		return source.Problem(tryLess, "is larger than %d MiB", FileSizeMax>>20)
	}
	signs := 0
	for _, sign := range []byte("\n,[{:") {
		signs += bytes.Count(data, []byte{sign})
	}
	if signs > signsMax {
		return source.Problem(tryLess, "has more than %d million values", signsMax/1_000_000)
	}
	return source.TextOnly(data)
}
