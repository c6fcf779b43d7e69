package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/cli/sandbox"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// traceDescriptor is the file of --trace-out in a process that cannot open files.
const traceDescriptor = 3

// runUntrusted runs a scenario in a process that can reach neither files nor the network. It gets the scenario as its
// standard input, and the file of --trace-out open.
func runUntrusted(streams cli.Streams, file string, flags *runFlags) error {
	text, err := readUntrusted(file)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, append([]string{"run", "--sealed", file}, flags.args(file)[1:]...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), streams.Out, streams.Err
	cmd.Env = append(sandbox.Environment(), "GOMAXPROCS=1")
	var traceOut *output.File
	if flags.traceOut != "" {
		if traceOut, err = createTraceFile(flags.traceOut, flags.traceRights(text)); err != nil {
			return err
		}
		defer traceOut.Discard()
		cmd.Args = append(cmd.Args[:len(cmd.Args)-2], "--trace-out", flags.traceOut, "--", file)
		cmd.ExtraFiles = []*os.File{traceOut.Handle()}
	}
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	err = sandbox.Run(cmd, sandbox.Options{Limits: flags.Sandbox(), Require: flags.Required, Started: func(enforced sandbox.Enforced) {
		enforced.Print(streams.Stderr())
		go func() {
			<-ctx.Done()
			_ = cmd.Process.Kill()
		}()
	}})
	var exit *exec.ExitError
	var limit *sandbox.LimitError
	var lacking *sandbox.UnavailableError
	switch {
	case ctx.Err() != nil:
		return interrupt.Cause(ctx)
	case errors.As(err, &limit):
		return err
	case errors.As(err, &lacking):
		return unprotected(err)
	case err != nil && !errors.As(err, &exit):
		return fmt.Errorf("starting %s: %w", self, err)
	}
	code := cmd.ProcessState.ExitCode()
	if traceOut != nil && (code == cli.ExitOK || code == cli.ExitFailed || code == cli.ExitInternal || code == cli.ExitLimit) {
		if err := traceOut.Commit(); err != nil {
			return err
		}
	}
	if code != cli.ExitOK {
		return exitError(code)
	}
	return nil
}

// unprotected refuses to run what is not trusted.
func unprotected(err error) error {
	return cli.Usage(
		err.Error()+", and --require-sandbox asks for that",
		"a Linux with Landlock, seccomp and user namespaces; or without --require-sandbox",
	)
}

// readUntrusted reads a scenario without understanding it.
func readUntrusted(file string) ([]byte, error) {
	opened, err := input.Open(file, input.Scenario, input.Dump)
	if err != nil {
		// The name of a shipped scenario, or a mistake that Open describes.
		scenario, err := runner.Open(file)
		if err != nil {
			return nil, err
		}
		return scenario.Source(), nil
	}
	defer opened.Close()
	text, err := io.ReadAll(opened)
	if err != nil {
		return nil, cli.InputError(err)
	}
	return text, nil
}

// openSealed reads the scenario of a process that cannot open files.
func openSealed(streams cli.Streams, name string) (*format.Scenario, error) {
	text, err := io.ReadAll(io.LimitReader(streams.In, input.Dump.Budget()+1))
	if err != nil {
		return nil, source.ErrorList{{File: name, Message: err.Error()}}
	}
	if snapshot.Looks(text) {
		scenario, _, err := snapshot.Parse(name, bytes.NewReader(text))
		return scenario, err
	}
	return format.Parse(name, text, verb.All, runner.Expressions)
}

// sealedTrace is the file of --trace-out that the process which started this one has opened, and completes.
func sealedTrace(path string) (*output.Trace, error) {
	if path == "" {
		return &output.Trace{}, nil
	}
	return output.NewTrace(output.Opened(path, os.NewFile(traceDescriptor, path))), nil
}
