package server

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// Setting is what the process decides for the control planes of its test.
var Setting struct {
	Seed     uint64
	Progress *engine.Progress
	// Trace is the file to which the trace is written, as kubestep run --trace-out writes it; empty means none. A test
	// that starts several control planes gives one file each: job.jsonl, job.2.jsonl.
	Trace string
}

// Date is the date at which every test begins.
var Date = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// traces counts the control planes of the process whose traces are written.
var traces int

// sinks writes the trace of the next control plane, if it is wanted.
func sinks() []trace.Sink {
	if Setting.Trace == "" {
		return nil
	}
	name := Setting.Trace
	if traces++; traces > 1 {
		extension := filepath.Ext(name)
		name = fmt.Sprintf("%s.%d%s", strings.TrimSuffix(name, extension), traces, extension)
	}
	file, err := os.Create(name)
	if err != nil {
		note("the trace is not written: %v", err)
		return nil
	}
	out := bufio.NewWriter(file)
	return []trace.Sink{func(_ *trace.Record, line []byte) {
		_, _ = out.Write(line)
		// The process ends without notice, when its test does.
		_ = out.Flush()
	}}
}
