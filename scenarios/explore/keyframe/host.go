package keyframe

import (
	"bufio"
	"io"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// Host makes the keyframes of the run in this process.
type Host struct {
	// Path is the name of the scenario's file.
	Path string
	// Progress is that of the run.
	Progress *engine.Progress
	// Between calls f between two records of the stream, unless somebody writes it just then, which is not ok. If f returns a writer, this
	// process is a copy, and the stream goes there from then on.
	Between func(f func(last trace.Record, out *bufio.Writer) (copied io.Writer)) (ok bool)

	host
}

// read is the scenario that a keyframe is asked to become. Whoever asks has it from the interface, which read it.
func (h *Host) read(text []byte) (*runner.Plan, error) {
	scenario, err := format.Parse(h.Path, text, verb.All)
	if err != nil {
		return nil, err
	}
	return runner.Compile(scenario)
}
