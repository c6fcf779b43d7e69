// Package kept keeps the results of many tests in a file while they run, one line of JSON each, so that a run that was interrupted can be
// resumed.
package kept

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
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

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
