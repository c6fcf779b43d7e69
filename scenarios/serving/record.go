package serving

import (
	"bufio"
	"os"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/sim/trace"
)

// record writes the trace of a session as lines of JSON, while it happens. A nil record writes none.
type record struct {
	file *os.File
	to   *bufio.Writer
}

// record opens the file of --trace-out. Records have the values of Secrets only as other traces have them.
func (o *Options) record() (*record, error) {
	if o.TraceOut == "" {
		return nil, nil
	}
	file, err := output.Growing(o.TraceOut, output.Traces(o.Force))
	if err != nil {
		return nil, err
	}
	return &record{file, bufio.NewWriter(file)}, nil
}

// take is a trace.Sink. The error of a line that cannot be written is that of Close.
func (r *record) take(_ *trace.Record, line []byte) {
	if r != nil && r.file != nil {
		_, _ = r.to.Write(line)
	}
}

// Close writes what is left. A second call does nothing.
func (r *record) Close() error {
	if r == nil || r.file == nil {
		return nil
	}
	err := r.to.Flush()
	if closeErr := r.file.Close(); err == nil {
		err = closeErr
	}
	r.file = nil
	return err
}
