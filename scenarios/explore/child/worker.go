package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli/profile"
	"github.com/kubestep/kubestep/scenarios/cli/sandbox"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/process/lastwords"
	"github.com/kubestep/kubestep/sim/trace"
)

// WorkerCommand is the command that a worker runs: it reads a Job a line and writes a Report a line.
const WorkerCommand = "worker"

// Worker is a child that makes many runs, one after the other, so that none has to wait for a process to start. One
// whose simulation broke down is replaced by the next job.
type Worker struct {
	// Executable and Env are as those of Run.
	Executable string
	Env        []string
	// Flags are limits, such as --max-memory 1Gi.
	Flags []string
	// Command are the arguments instead of WorkerCommand and Flags, for a program that is not kubestep.
	Command []string
	// Sandbox, if set, puts the process into a sandbox. Its timeout is that of each run.
	Sandbox *sandbox.Options

	cmd *exec.Cmd
	// ended receives the error of the process.
	ended  chan error
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// sandboxGrace is how long a worker in a sandbox may take to report a run that exceeded its timeout.
const sandboxGrace = 5 * time.Second

// HaltDied is the reason of a Halt for a process that ended without a word.
const HaltDied trace.HaltReason = "Died"

// Do makes one run. A simulation that breaks down, and even a process that dies, is a Report with a Halt, and no error.
// Cancelling the context kills the process.
func (w *Worker) Do(ctx context.Context, job Job) (*Report, error) {
	if w.cmd == nil {
		if err := w.start(); err != nil {
			return nil, err
		}
	}
	process := w.cmd.Process
	defer context.AfterFunc(ctx, func() { _ = process.Kill() })()
	if w.Sandbox != nil && w.Sandbox.Limits.Timeout > 0 {
		// The worker has the same clock, and is believed for that long only.
		defer time.AfterFunc(w.Sandbox.Limits.Timeout+sandboxGrace, func() { _ = process.Kill() }).Stop()
	}
	line, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	// A process that is gone is found out by reading.
	_, _ = w.in.Write(append(line, '\n'))
	answer, err := w.out.ReadBytes('\n')
	if ctx.Err() != nil {
		w.end()
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return w.died(ctx, job)
	}
	report := &Report{}
	if err := json.Unmarshal(answer, report); err != nil {
		w.end()
		return nil, fmt.Errorf("the worker sent %.80q: %w", answer, err)
	}
	if report.Halt != nil {
		w.end()
	}
	return report, nil
}

// Read reads a scenario and makes no run: the report has its name and its hash, or what is wrong with it.
func (w *Worker) Read(job Job) (*Report, error) {
	job.Read = true
	report, err := w.Do(context.Background(), job)
	if err == nil && report.Halt != nil {
		err = errors.New(report.Halt.Message)
	}
	return report, err
}

// errInterrupted is a worker that Ctrl-C ended before it could ignore it.
var errInterrupted = errors.New("a worker was interrupted")

// died is the report of a process that ended without one. Ctrl-C reaches all processes of a terminal, so a
// worker may hear of it before the one that started it.
func (w *Worker) died(ctx context.Context, job Job) (*Report, error) {
	_ = w.in.Close()
	<-w.ended
	if strings.HasPrefix(w.cmd.ProcessState.String(), "signal: interrupt") {
		w.cmd = nil
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(grace):
			return nil, errInterrupted
		}
	}
	// Go 1.26 loses the report of a race in a timer's function outside of any goroutine, and ends with a segmentation fault.
	if engine.DetectsRaces && strings.Contains(w.stderr.String(), "WARNING: DATA RACE") {
		fmt.Fprint(os.Stderr, w.stderr.String())
	}
	message := LastWords(w.stderr.String(), w.cmd.ProcessState).Message
	if text := strings.TrimSpace(w.stderr.String()); text != "" {
		if _, said := lastwords.In(text); !said {
			message, _, _ = strings.Cut(text, "\n")
			if at := controllers.Culprit(text); at != "" {
				message += ", in " + at
			}
		}
	}
	w.cmd = nil
	halt := &trace.Halt{Reason: HaltDied, Message: message}
	return &Report{
		Seed: job.Seed, Result: runner.Fault, Halt: halt,
		Failures: []Failure{{Name: string(HaltDied), Message: message}},
	}, nil
}

func (w *Worker) start() error {
	executable := w.Executable
	if executable == "" {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		executable = self
	}
	args := w.Command
	if args == nil {
		args = append([]string{WorkerCommand}, w.Flags...)
	}
	cmd := exec.Command(executable, args...)
	environment := os.Environ()
	if w.Sandbox != nil {
		environment = sandbox.Environment()
	}
	cmd.Env = append(append(environment, "GOMAXPROCS=1", lastwords.Wanted), w.Env...)
	cmd.WaitDelay = grace
	w.stderr.Reset()
	cmd.Stderr = &w.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	w.ended = make(chan error, 1)
	if err := w.launch(cmd); err != nil {
		return fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	w.cmd, w.in, w.out = cmd, in, bufio.NewReaderSize(out, 1<<16)
	return nil
}

// launch starts the process, in a sandbox or not.
func (w *Worker) launch(cmd *exec.Cmd) error {
	if w.Sandbox == nil {
		if err := cmd.Start(); err != nil {
			return err
		}
		go func() { w.ended <- cmd.Wait() }()
		return nil
	}
	started := make(chan sandbox.Enforced)
	options := *w.Sandbox
	// The process lives longer than a run: Do has the clock.
	options.Limits.Timeout = 0
	options.Started = func(enforced sandbox.Enforced) { started <- enforced }
	go func() { w.ended <- sandbox.Run(cmd, options) }()
	select {
	case enforced := <-started:
		w.Sandbox.Started(enforced)
		return nil
	case err := <-w.ended:
		return err
	}
}

// Close ends the process.
func (w *Worker) Close() {
	if w.cmd != nil {
		w.end()
	}
}

func (w *Worker) end() {
	_ = w.in.Close()
	defer func() { w.cmd = nil }()
	if profile.Directory() != "" {
		// It ends by itself, and writes its profile.
		select {
		case <-w.ended:
			return
		case <-time.After(grace):
		}
	}
	_ = w.cmd.Process.Kill()
	<-w.ended
}
