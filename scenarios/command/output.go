package command

import (
	"cmp"
	"errors"
	"io"
	"io/fs"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/plugin"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// Streams are the input and output of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer

	// lost remembers the first write that failed; Main turns it into the exit code.
	lost *output.Lost
	// plugin is not nil when kubectl started the process.
	plugin *plugin.Plugin
}

// out and err are the streams for text that people read. What comes from scenarios, traces and names of files does not
// reach a terminal raw there; JSON documents mean the same, but the lines of a trace, which have a hash, do not pass
// through it.
func (s Streams) out() io.Writer { return visible.NewWriter(s.raw()) }
func (s Streams) err() io.Writer {
	return s.plugin.Writer(visible.NewWriter(s.lost.Watch(s.Err, "standard error")))
}

// raw is standard output for what has its own form: a trace, JSON, YAML. Its bytes go to files and pipes as they are;
// only a terminal gets the escape sequences that mean the same in JSON.
func (s Streams) raw() io.Writer {
	out := s.lost.Watch(s.Out, standardOutput)
	if isTerminal(s.Out) {
		return visible.NewWriter(out)
	}
	return out
}

const standardOutput = "standard output"

// outputError explains why a file cannot be written. The name is the user's; without one it is that of the error.
func outputError(name string, err error) error {
	var lost *output.Error
	var exists *output.ExistsError
	var refused *input.FileError
	var path *fs.PathError
	switch {
	case errors.As(err, &lost):
		return lost
	case errors.As(err, &exists):
		return exists
	case errors.As(err, &refused):
		return &UsageError{refused.Error(), refused.Try}
	case errors.As(err, &path):
		name = cmp.Or(name, path.Path)
	}
	return &output.Error{Name: cmp.Or(name, standardOutput), Err: err}
}

// InputError explains why a file cannot be read.
func InputError(err error) error {
	var path *fs.PathError
	var refused *input.FileError
	switch {
	case errors.As(err, &refused):
		return &UsageError{refused.Error(), refused.Try}
	case errors.As(err, &path):
		return &UsageError{path.Path + ": " + path.Err.Error(), "another path"}
	}
	var placed *source.Error
	if errors.As(err, &placed) {
		return placed
	}
	return &UsageError{err.Error(), ""}
}

// verdict is the error of a command whose output was lost: a result that nobody can read is none. Errors with other
// causes remain.
func (s Streams) verdict(err error) error {
	if lost := s.lost.First(); lost != nil && (err == nil || errors.Is(err, ErrChecksFailed) || errors.Is(err, lost.Err)) {
		return lost
	}
	return err
}
