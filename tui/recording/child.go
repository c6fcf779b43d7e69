package recording

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Progress is how far a run is that is being recorded.
type Progress struct {
	Records int64
	At      time.Duration
}

// progressEvery is after how many records the progress is told.
const progressEvery = 250

// Child records a run in a process of its own: much of what upstream keeps belongs to the process, and the
// simulation needs one processor to itself. Cancelling the context kills the process.
type Child struct {
	// Executable is kubestep itself.
	Executable string
	// File is a scenario file, or the name of one that comes with kubestep.
	File string
	Seed *int64
	// Title is the scenario's.
	Name, Title string
	// Progress is called now and then; may be nil.
	Progress func(Progress)
}

// RunError is a run that recorded nothing that can be shown.
type RunError struct{ Message, Try string }

// Error implements error.
func (e *RunError) Error() string { return e.Message }

// Record runs the scenario to its end.
func (c Child) Record(ctx context.Context) (*Recording, error) {
	args := []string{"run", "-o", "jsonl"}
	if c.Seed != nil {
		args = append(args, "--seed", strconv.FormatInt(*c.Seed, 10))
	}
	cmd := exec.CommandContext(ctx, c.Executable, append(args, "--", c.File)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the run does not start: %w", err)
	}
	builder := NewBuilder(Origin{Name: c.Name, Title: c.Title, Ran: true})
	sum := newDigest()
	readErr := c.read(io.TeeReader(out, sum), builder)
	// What is not read would keep the process waiting.
	_, _ = io.Copy(io.Discard, out)
	waitErr := cmd.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return c.finish(builder, sum.text(), stderr.String(), readErr, waitErr)
}

func (c Child) read(r io.Reader, builder *Builder) error {
	for record, err := range trace.ReadJSONL(r) {
		if err == nil {
			err = builder.Add(record)
		}
		if err != nil {
			return err
		}
		if c.Progress != nil && record.Seq%progressEvery == 0 {
			c.Progress(Progress{record.Seq, record.At})
		}
	}
	return nil
}

// finish looks at how the process ended. Exit code 1 is a failed check, which is what one wants to see.
func (c Child) finish(builder *Builder, hash, stderr string, readErr, waitErr error) (*Recording, error) {
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) {
		return nil, waitErr
	}
	summary, message, try := lastWords(stderr)
	origin := &builder.rec.Origin
	origin.Summary = summary
	if seed, err := strconv.ParseInt(summaryField(summary, "seed "), 10, 64); err == nil {
		origin.Seed = seed
	}
	switch {
	case builder.rec.Len() == 0 && message != "":
		return nil, &RunError{message, try}
	case builder.rec.Len() == 0:
		return nil, &RunError{"the run of " + c.File + " recorded nothing", "kubestep run " + c.File}
	case readErr != nil:
		origin.Cut = readErr.Error()
	case message != "":
		origin.Cut = message
	case !strings.Contains(summary, hash):
		origin.Cut = "the trace hash is not that of the run"
	}
	return builder.Done(hash), nil
}

// lastWords finds the summary line and the error in what a run printed.
func lastWords(stderr string) (summary, message, try string) {
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "  sha256:"):
			summary = line
		case strings.HasPrefix(line, "Error: ") && message == "":
			message = strings.TrimPrefix(line, "Error: ")
		case strings.HasPrefix(line, "Try: ") && try == "":
			try = strings.TrimPrefix(line, "Try: ")
		}
	}
	return summary, message, try
}

// summaryField is the rest of the field of a summary that begins with a prefix.
func summaryField(summary, prefix string) string {
	for field := range strings.SplitSeq(summary, "  ") {
		if rest, ok := strings.CutPrefix(field, prefix); ok {
			return rest
		}
	}
	return ""
}
