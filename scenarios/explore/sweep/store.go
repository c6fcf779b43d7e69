package sweep

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// FileName is the name of a Store's file in its directory.
const FileName = "results.jsonl"

// addition is a line that is not a result: the plan of a sweep that resumes, or paths of runs that passed.
type addition struct {
	Plan  *Seeds `json:"plan,omitempty"`
	Paths []Hash `json:"paths,omitempty"`
}

// line is a line of a file of results after its header: a result, or an addition.
type line struct {
	Plan *Seeds `json:"plan"`
	Result
}

// read adds the lines of a file of results to those that begin makes of its header. plan is the last plan of the file, and whole
// is how many bytes of it are whole lines: what comes after them was being written when the sweep was interrupted. A
// file without a whole line has no results, and no error.
func read(path string, begin func(Header) (*Results, error)) (plan *Seeds, whole int64, err error) {
	file, err := input.Open(path, input.Results)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	lines := bufio.NewReaderSize(file, 1<<16)
	var results *Results
	for number := 1; ; number++ {
		text, err := lines.ReadBytes('\n')
		if err == io.EOF && number == 1 && !strings.HasPrefix(begun, string(text)) && !strings.HasPrefix(string(text), begun) {
			return nil, 0, &FormatError{path, 1, notResults}
		}
		if err == io.EOF {
			return plan, whole, nil
		}
		if err != nil {
			return nil, 0, err
		}
		whole += int64(len(text))
		if number == 1 {
			var header Header
			if json.Unmarshal(text, &header) != nil || header.Hash == "" || header.Plan != nil && !header.Plan.areValid() {
				return nil, 0, &FormatError{path, 1, notResults}
			}
			if results, err = begin(header); err != nil {
				return nil, 0, err
			}
			if plan = header.Plan; plan == nil {
				return nil, 0, &NoPlanError{path, header}
			}
			clear(results.details)
			continue
		}
		var next line
		if err := json.Unmarshal(text, &next); err != nil {
			return nil, 0, &FormatError{path, number, "not a result of a sweep"}
		}
		if next.Plan != nil && next.Plan.areValid() {
			plan = next.Plan
		} else if err := results.take(&next.Result); err != nil {
			return nil, 0, &FormatError{path, number, err.Error()}
		}
	}
}

// Store keeps the results of a sweep, in a file if it has a directory.
type Store struct {
	results *Results
	file    *os.File
}

// Open opens or makes the Store in a directory; an empty dir makes one without a file. The header must have a plan if there
// is a directory.
func Open(dir string, header Header) (*Store, error) {
	store := &Store{results: newResults(header)}
	if dir == "" {
		return store, nil
	}
	if err := output.Folder(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, FileName)
	var err error
	if store.file, err = output.Appending(path); err != nil {
		return nil, err
	}
	if err := store.resume(path, header); err != nil {
		store.file.Close()
		return nil, err
	}
	return store, nil
}

const notResults = "not the results of a sweep"

// begun is how a file begins to which nothing but a header was written, however little of it.
const begun = `{"scenario":`

// resume takes the results that the file has, and cuts what was being written when the sweep was interrupted.
func (s *Store) resume(path string, header Header) error {
	if err := lock(s.file); err != nil {
		return &LockedError{filepath.Dir(path)}
	}
	plan, whole, err := read(path, func(has Header) (*Results, error) {
		if !has.matches(header) {
			return nil, &OtherError{path, has, header}
		}
		return s.results, nil
	})
	if err != nil {
		return err
	}
	if err := s.file.Truncate(whole); err != nil {
		return err
	}
	switch {
	case whole == 0:
		return s.write(header)
	case *plan != *header.Plan:
		return s.write(addition{Plan: header.Plan})
	}
	return nil
}

// Results are those so far.
func (s *Store) Results() *Results { return s.results }

// Add keeps a result. The line is written at once, so that nothing is lost when the process is killed.
func (s *Store) Add(result *Result) error {
	line, err := s.results.add(result)
	if err != nil {
		return err
	}
	return s.write(line)
}

func (s *Store) write(line any) error {
	if s.file == nil {
		return nil
	}
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(line); err != nil {
		return err
	}
	_, err := s.file.Write(text.Bytes())
	return err
}

// Close closes the file.
func (s *Store) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
