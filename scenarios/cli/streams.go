package cli

import (
	"errors"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/cli/plugin"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// Streams are the input and output of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer

	// lost remembers the first write that failed; Verdict turns it into an error.
	lost *output.Lost
	// plugin is not nil when kubectl started the process.
	plugin *plugin.Plugin
}

// Watched returns streams that remember the first write that fails, for Verdict. started is not nil when kubectl started the process.
func (s Streams) Watched(started *plugin.Plugin) Streams {
	s.lost, s.plugin = &output.Lost{}, started
	return s
}

// Stdout and Stderr are the streams for text that people read. What comes from scenarios, traces and names of files does not
// reach a terminal raw there; JSON documents mean the same, but the lines of a trace, which have a hash, do not pass
// through it.
func (s Streams) Stdout() io.Writer { return visible.NewWriter(s.Raw()) }

func (s Streams) Stderr() io.Writer {
	return s.plugin.Writer(visible.NewWriter(s.lost.Watch(s.Err, "standard error")))
}

// Raw is standard output for what has its own form: a trace, JSON, YAML. Its bytes go to files and pipes as they are;
// only a terminal gets the escape sequences that mean the same in JSON.
func (s Streams) Raw() io.Writer {
	out := s.lost.Watch(s.Out, standardOutput)
	if IsTerminal(s.Out) {
		return visible.NewWriter(out)
	}
	return out
}

const standardOutput = "standard output"

// Verdict is the error of a command whose output was lost: a result that nobody can read is none. Errors with other
// causes remain.
func (s Streams) Verdict(err error) error {
	if lost := s.lost.First(); lost != nil && (err == nil || errors.Is(err, ErrChecksFailed) || errors.Is(err, lost.Err)) {
		return lost
	}
	return err
}

// IsInteractive reports whether standard input and output are a terminal.
func IsInteractive(streams Streams) bool {
	return IsTerminal(streams.In) && IsTerminal(streams.Out)
}

// IsTerminal reports whether an end of a stream is a terminal.
func IsTerminal(end any) bool {
	file, ok := end.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
