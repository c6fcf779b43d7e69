package sweep

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/input"
)

// FileName is the name of a Store's file in its directory.
const FileName = "results.jsonl"

// Header is the first line of a file of results: what was swept.
type Header struct {
	Name string `json:"scenario"`
	// File is the scenario as given on the command line.
	File string `json:"file"`
	// Hash is that of the scenario (child.HashOf), and Kubernetes the version whose controllers ran.
	Hash       string `json:"scenarioHash"`
	Kubernetes string `json:"kubernetesVersion"`
	// Kubestep is the version of kubestep, and Promise what its hashes promise: another build may have others.
	Kubestep string `json:"kubestepVersion"`
	Promise  string `json:"promise"`
	// Spaces are the fault spaces, separated by commas, and Compared means that each seed ran without its faults, too.
	Spaces   string `json:"spaces,omitempty"`
	Compared bool   `json:"compared,omitempty"`
}

// Result is a line of results: how the run of one seed ended.
type Result struct {
	Seed     int64           `json:"seed"`
	Result   string          `json:"result"`
	Hash     string          `json:"hash,omitempty"`
	Failures []child.Failure `json:"failures,omitempty"`
	// End, Stuck, Faults and Comparison are those of child.Report.
	End        string            `json:"end,omitempty"`
	Stuck      string            `json:"stuck,omitempty"`
	Faults     []string          `json:"faults,omitempty"`
	Comparison *child.Comparison `json:"comparison,omitempty"`
	// Decisions are those of a run that failed, up to its first failure; Paths those of a run that passed
	// which no run before it had taken.
	Decisions []compare.Decision `json:"decisions,omitempty"`
	Paths     []string           `json:"paths,omitempty"`
	OpenOrder []string           `json:"openOrder,omitempty"`
	// Confirmed means that the seed ran once more in a fresh process, which the first failures of each group do, and
	// Unconfirmed what came instead of the same trace.
	Confirmed   bool   `json:"confirmed,omitempty"`
	Unconfirmed string `json:"unconfirmed,omitempty"`

	wrong *WrongError
}

// Passed reports whether the run passed.
func (r *Result) Passed() bool { return r.Result == runner.Pass }

// Results are the results of a sweep, or of several shards of one.
type Results struct {
	Header  Header
	BySeed  map[int64]*Result
	Failing int
	// Confirmed counts the seeds that ran twice.
	Confirmed int
	// Differing are seeds that two shards ran with different traces.
	Differing []int64
	// paths are those that runs took which passed.
	paths map[string]bool
}

func newResults(header Header) *Results {
	return &Results{Header: header, BySeed: map[int64]*Result{}, paths: map[string]bool{}}
}

// add takes a result. Of a seed that is known it compares the trace, and learns whether it is confirmed.
func (r *Results) add(result *Result) {
	if known := r.BySeed[result.Seed]; known != nil {
		if known.Hash != result.Hash {
			r.Differing = append(r.Differing, result.Seed)
		}
		if result.Confirmed && !known.Confirmed {
			known.Confirmed, known.Unconfirmed = true, result.Unconfirmed
			r.Confirmed++
		}
		return
	}
	r.BySeed[result.Seed] = result
	if result.Confirmed {
		r.Confirmed++
	}
	if !result.Passed() {
		r.Failing++
	}
	for _, path := range result.Paths {
		r.paths[path] = true
	}
}

// FormatError is a file of results that cannot be used.
type FormatError struct {
	Path    string
	Line    int
	Message string
}

// Error implements error.
func (e *FormatError) Error() string {
	if e.Line == 0 {
		return e.Path + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Message)
}

// OtherError is a directory with the results of something else.
type OtherError struct {
	Path string
	// Has is what it holds, Want what was asked for.
	Has, Want Header
}

// Error implements error.
func (e *OtherError) Error() string {
	switch {
	case e.Has.Name != e.Want.Name:
		return fmt.Sprintf("%s contains results of another scenario: %s, not %s", e.Path, e.Has.Name, e.Want.Name)
	case e.Has.Spaces != e.Want.Spaces || e.Has.Compared != e.Want.Compared:
		return e.Path + " contains results of another sweep: " + e.Has.how() + ", not " + e.Want.how()
	case e.Has.Hash != e.Want.Hash:
		return fmt.Sprintf("%s contains results of an earlier version of the scenario %s", e.Path, e.Has.Name)
	}
	return fmt.Sprintf("%s contains results of another build: %s, not %s", e.Path, e.Has.build(), e.Want.build())
}

func (h Header) build() string {
	return fmt.Sprintf("kubestep %s (%s) with Kubernetes %s", h.Kubestep, h.Promise, h.Kubernetes)
}

// how is how the scenario was swept.
func (h Header) how() string {
	how := "without fault spaces"
	if h.Spaces != "" {
		how = "with the faults " + h.Spaces
	}
	if !h.Compared {
		how += ", not compared"
	}
	return how
}

func (h Header) matches(other Header) bool {
	h.File = other.File
	return h == other
}

// read reads a file of results. whole is how many bytes of it are whole lines: what comes after them was
// being written when the sweep was interrupted.
func read(path string) (results *Results, whole int64, err error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	lines := bufio.NewReaderSize(file, 1<<16)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return results, whole, nil
		}
		if err != nil {
			return nil, 0, err
		}
		whole += int64(len(line))
		if number == 1 {
			var header Header
			if json.Unmarshal(line, &header) != nil || header.Hash == "" {
				return nil, 0, &FormatError{path, 1, "not the results of a sweep"}
			}
			results = newResults(header)
			continue
		}
		result := &Result{}
		if err := json.Unmarshal(line, result); err != nil || result.Result == "" {
			return nil, 0, &FormatError{path, number, "not a result of a sweep"}
		}
		results.add(result)
	}
}

// Store keeps the results of a sweep, in a file if it has a directory.
type Store struct {
	results *Results
	file    *os.File
}

// Open opens or makes the Store in a directory; an empty dir makes one without a file.
func Open(dir string, header Header) (*Store, error) {
	store := &Store{results: newResults(header)}
	if dir == "" {
		return store, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, FileName)
	var err error
	if store.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return nil, err
	}
	if err := store.resume(path, header); err != nil {
		store.file.Close()
		return nil, err
	}
	return store, nil
}

// resume takes the results that the file has, and cuts what was being written when the sweep was interrupted.
func (s *Store) resume(path string, header Header) error {
	if err := lock(s.file); err != nil {
		return &LockedError{filepath.Dir(path)}
	}
	results, whole, err := read(path)
	switch {
	case err != nil:
		return err
	case results != nil && !results.Header.matches(header):
		return &OtherError{path, results.Header, header}
	}
	if results == nil {
		whole = 0
	} else {
		s.results = results
	}
	if err := s.file.Truncate(whole); err != nil {
		return err
	}
	if results == nil {
		return s.write(header)
	}
	return nil
}

// LockedError is a directory that another process writes results to.
type LockedError struct{ Path string }

// Error implements error.
func (e *LockedError) Error() string { return "another sweep is writing to " + e.Path }

// Results are those so far.
func (s *Store) Results() *Results { return s.results }

// Add keeps a result. The line is written at once, so that nothing is lost when the process is killed.
func (s *Store) Add(result *Result) error {
	s.results.add(result)
	return s.write(result)
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
