package server

import (
	"bufio"
	"os"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// Setting is what the process decides for the control planes of its test.
var Setting struct {
	Seed     uint64
	Progress *engine.Progress
	// Trace is the file to which the trace is written, as lines of JSON; empty means none.
	Trace string
}

// Date is the date at which every test begins.
var Date = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// sinks writes the trace, if it is wanted. Each control plane of the test adds to the file.
func sinks() []trace.Sink {
	if Setting.Trace == "" {
		return nil
	}
	file, err := os.OpenFile(Setting.Trace, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		note("the trace is not written: %v", err)
		return nil
	}
	out := bufio.NewWriter(file)
	return []trace.Sink{func(_ *trace.Record, line []byte) {
		_, _ = out.Write(line)
		_ = out.WriteByte('\n')
		// The process ends without notice, when its test does.
		_ = out.Flush()
	}}
}
