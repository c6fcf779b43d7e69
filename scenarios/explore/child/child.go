// Package child runs scenarios in separate processes.
//
// Much of upstream's state belongs to the process: feature gates, id sources, metrics. So a simulation is a process,
// and callers that need several, or one that may crash, start children: the terminal for what it shows, its branches, a
// sweep over many seeds. A child is `kubestep run -o stream`; its output is the trace format
// (docs/reference/trace-format.md), so a recording of a child equals one that was read from a file.
//
// A child ends when its simulation does, when its context is cancelled, when it exceeds its memory limit, when the
// watchdog finds it frozen, and when its output is closed.
package child

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/explore/keyframe"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/process/lastwords"
	"github.com/kubestep/kubestep/sim/trace"
)

// Run describes a run.
type Run struct {
	// Executable is kubestep; empty means the current program.
	Executable string
	// File is a scenario file, or the name of a scenario that comes with kubestep.
	File string
	// Seed replaces the scenario's, if set.
	Seed *int64
	// Futures are values of --future.
	Futures []string
	// Choices is the value of --choices; empty means that the seed draws the order.
	Choices string
	// WithoutFaults is the value of --without-faults; empty means that the faults stay.
	WithoutFaults string
	// ShowSecrets is as --show-secrets.
	ShowSecrets bool
	// Text changes the lines of records before they are decoded; nil leaves them as they are. The hash is that of the
	// lines of the run.
	Text func(line []byte) []byte
	// MaxMemory is as in --max-memory; empty means the default.
	MaxMemory string
	// TraceOut is a file that the child writes the trace to, as --trace-out does; empty means none.
	TraceOut string
	// Keyframes gets the keyframes of the run, unless it is nil.
	Keyframes *keyframe.Frames
	// Env is added to the environment.
	Env []string
	// Dir is the working directory; empty means that of this process.
	Dir string
}

// Result is the result of a run.
type Result struct {
	// Outcome is the verdict; nil if the simulation did not end regularly.
	Outcome *runner.Outcome
	// Halt says why it did not, if the child could still report it.
	Halt *trace.Halt
	// Try is what may help against the halt, in the child's words; may be empty.
	Try string
	// Hash is the hash of the received records.
	Hash string
}

// Error means that a run did not start: the scenario is wrong, or the child failed.
type Error struct {
	Message string
	// Try is the child's suggestion; may be empty.
	Try string
	// Code is its exit code (tui/command); -1 if a signal ended it.
	Code int
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// grace is how long a killed child's pipes may stay open.
const grace = time.Second

// Follow makes the run and hands each record to each, in order, as it comes. An error of each ends the child and is
// returned. Cancelling the context kills the child; the error is then the context's. A simulation that breaks down is a
// Result with a Halt, and no error.
func (r Run) Follow(ctx context.Context, each func(*trace.Record) error) (*Result, error) {
	ctx, kill := context.WithCancelCause(ctx)
	defer kill(nil)
	cmd, err := r.command(ctx)
	if err != nil {
		return nil, err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var source *keyframe.Source
	if r.Keyframes != nil {
		source = r.Keyframes.Ask(cmd)
		defer source.Close()
	}
	err = cmd.Start()
	for _, file := range cmd.ExtraFiles {
		_ = file.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	defer interrupt.AtExit(func() { _ = cmd.Process.Kill() })()
	result, readErr := r.read(&stream{from: out, hash: sha256.New(), source: source}, each)
	if readErr != nil {
		kill(readErr)
	}
	waitErr := cmd.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) {
		return nil, waitErr
	}
	if result.Outcome == nil && result.Halt == nil {
		return nil, LastWords(stderr.String(), cmd.ProcessState)
	}
	if result.Halt != nil {
		result.Try = LastWords(stderr.String(), nil).Try
	}
	return result, nil
}

// Branch is the run of another scenario, which is the same as that of a run until a virtual time.
type Branch struct {
	// Frame is a keyframe of that run, before Until.
	Frame *keyframe.Frame
	Until time.Duration
	// Scenario is the text of the file.
	Scenario []byte
}

// FollowFrom makes a branch, as Follow does. The records before its keyframe are not handed to each: they are those of the run that has the
// keyframe. It is an error if the past of the two is not the same. Keyframes, if set, get the one that the branch leaves.
func (r Run) FollowFrom(ctx context.Context, b Branch, each func(*trace.Record) error) (*Result, error) {
	out, source, err := b.Frame.Continue(ctx, b.Until, b.Scenario)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	defer out.Close()
	hash := sha256.New()
	if err := hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(b.Frame.Hash); err != nil {
		return nil, err
	}
	result, err := r.read(&stream{from: out, hash: hash, source: source}, each)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err == nil && result.Outcome == nil && result.Halt == nil:
		return nil, errors.New("a copy of the run ended without a message")
	}
	return result, err
}

// Finish runs another program to its end. An exit code other than 0 and allowed is an *Error.
func Finish(cmd *exec.Cmd, allowed int) error {
	var stderr bytes.Buffer
	cmd.Stderr, cmd.Env = &stderr, append(cmd.Environ(), lastwords.Wanted)
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case !errors.As(err, &exit):
		return err
	case exit.ExitCode() == allowed:
		return nil
	}
	return LastWords(stderr.String(), exit.ProcessState)
}

// command is the child, not yet started. One processor is all that a simulation can use: what happens in it happens one
// after the other.
func (r Run) command(ctx context.Context) (*exec.Cmd, error) {
	executable := r.Executable
	if executable == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		executable = self
	}
	args := append([]string{"run", "-o", "stream"}, future.Args(r.Futures)...)
	if r.Choices != "" {
		args = append(args, "--choices", r.Choices)
	}
	if r.WithoutFaults != "" {
		args = append(args, "--without-faults="+r.WithoutFaults)
	}
	if r.ShowSecrets {
		args = append(args, "--show-secrets")
	}
	if r.Seed != nil {
		args = append(args, "--seed", strconv.FormatInt(*r.Seed, 10))
	}
	if r.MaxMemory != "" {
		args = append(args, "--max-memory", r.MaxMemory)
	}
	if r.TraceOut != "" {
		args = append(args, "--trace-out", r.TraceOut)
	}
	if bounds, ok := limits.Of(ctx); ok {
		args = append(args, bounds.Args()...)
	}
	cmd := exec.CommandContext(ctx, executable, append(args, "--", r.File)...)
	cmd.Env = append(append(os.Environ(), "GOMAXPROCS=1", lastwords.Wanted), r.Env...)
	cmd.Dir, cmd.WaitDelay = r.Dir, grace
	return cmd, nil
}

// stream is what a run writes.
type stream struct {
	from io.Reader
	// hash is that of the records so far.
	hash hash.Hash
	// source is where keyframes come from; nil if nobody asked for any.
	source *keyframe.Source
}

// verdict is the last line of a stream.
type verdict struct {
	Outcome *runner.Outcome `json:"outcome"`
}

var verdictStart, keyframeStart = []byte(`{"outcome":`), []byte(`{"keyframe":`)

// read splits a stream.
func (r Run) read(out *stream, each func(*trace.Record) error) (*Result, error) {
	result := &Result{}
	lines := bufio.NewReaderSize(out.from, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		switch {
		case err == io.EOF:
			// What has no newline was not written to its end.
			result.Hash = "sha256:" + hex.EncodeToString(out.hash.Sum(nil))
			return result, nil
		case err != nil:
			return nil, err
		}
		if bytes.HasPrefix(line, verdictStart) {
			var last verdict
			if err := json.Unmarshal(line, &last); err != nil {
				return nil, fmt.Errorf("the verdict of the run: %w", err)
			}
			result.Outcome = last.Outcome
			continue
		}
		if out.source != nil && bytes.HasPrefix(line, keyframeStart) {
			if err := r.takeKeyframe(out, line); err != nil {
				return nil, err
			}
			continue
		}
		record, err := trace.Decode(line)
		if err != nil {
			return nil, fmt.Errorf("the run sent %.80q: %w", line, err)
		}
		if record.Kind == trace.KindHalt {
			result.Halt = record.Halt
		} else {
			hashed := line
			if redacted := trace.Redacted(record); redacted != record {
				hashed = redacted.Line()
			}
			out.hash.Write(hashed)
		}
		if record, err = r.changed(record, line); err != nil {
			return nil, err
		}
		if err := each(record); err != nil {
			return nil, err
		}
	}
}

// takeKeyframe takes the keyframe that a line of a stream announces.
func (r Run) takeKeyframe(out *stream, text []byte) error {
	var line keyframe.Line
	if err := json.Unmarshal(text, &line); err != nil {
		return fmt.Errorf("a keyframe of the run: %w", err)
	}
	state, err := out.hash.(encoding.BinaryMarshaler).MarshalBinary()
	if err == nil && r.Keyframes != nil {
		out.source.Take(r.Keyframes, *line.Keyframe, state)
	}
	return err
}

// changed is a record after Text.
func (r Run) changed(record *trace.Record, line []byte) (*trace.Record, error) {
	if r.Text == nil {
		return record, nil
	}
	text := r.Text(line)
	if bytes.Equal(text, line) {
		return record, nil
	}
	return trace.Decode(text)
}

// LastWords finds the error in what a child printed before it ended. state is how it ended; nil if that was without an error.
func LastWords(stderr string, state *os.ProcessState) *Error {
	e := &Error{}
	if state != nil {
		e.Code = state.ExitCode()
	}
	words, said := lastwords.In(stderr)
	switch printed := strings.TrimSpace(stderr); {
	case said:
		e.Message, e.Try = words.Error, words.Try
	case e.Code >= 0 && printed != "":
		// Such as a kubestep that says it to people only, since it is older.
		e.Message = fmt.Sprintf("the run ended with exit code %d: %s", e.Code, printed)
	case e.Code < 0:
		// Such as "signal: killed".
		e.Message = fmt.Sprintf("the run ended without a message: %v", state)
	default:
		e.Message = fmt.Sprintf("the run ended with exit code %d and without a message", e.Code)
	}
	return e
}
