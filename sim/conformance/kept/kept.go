// Package kept runs many tests, some at a time, and keeps their results in a file, one line of JSON each, so that a run that was
// interrupted can be resumed.
package kept

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
)

// File receives results.
type File struct{ file *os.File }

// Open opens a file for the results of a run, and returns those that it has if the run resumes an earlier one. Otherwise the file starts
// over.
func Open[R any](name string, resume bool) (*File, []*R, error) {
	var before []*R
	// The last line is half a line if the run was killed.
	half := false
	if resume {
		data, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, nil, err
		}
		for line := range bytes.Lines(data) {
			r := new(R)
			half = !bytes.HasSuffix(line, []byte("\n"))
			if json.Unmarshal(line, r) == nil {
				before = append(before, r)
			}
		}
	} else if err := os.RemoveAll(name); err != nil {
		return nil, nil, err
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err == nil && half {
		_, err = file.WriteString("\n")
	}
	return &File{file}, before, err
}

// Add keeps a result. It must not be called at the same time as itself.
func (f *File) Add(result any) error {
	line, err := json.Marshal(result)
	if err == nil {
		_, err = f.file.Write(append(line, '\n'))
	}
	return err
}

// Run runs the tests that have no result yet, some at a time, and keeps their results: results[i] is what one(i) returns. said is called
// with each of them, and with how many tests have a result then.
func Run[R any](f *File, results []*R, parallel int, one func(i int) *R, said func(r *R, done int)) {
	var writing sync.Mutex
	var running sync.WaitGroup
	slots := make(chan struct{}, max(1, parallel))
	done := 0
	for _, r := range results {
		if r != nil {
			done++
		}
	}
	for i := range results {
		if results[i] != nil {
			continue
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			r := one(i)
			writing.Lock()
			defer writing.Unlock()
			results[i] = r
			done++
			said(r, done)
			if err := f.Add(r); err != nil {
				fmt.Fprintln(os.Stderr, "Error: keeping the result:", err)
			}
		})
	}
	running.Wait()
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
