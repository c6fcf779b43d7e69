//go:build unix

package command

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// long is a scenario that runs until it is stopped.
const long = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: long}
spec:
  title: A rollout and a very long wait
  horizon: 87600h
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
`

// TestInterrupted ends a run in the middle. Neither the trace nor a part of it is left, and the exit code is
// the one that a shell reports.
func TestInterrupted(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		code   int
	}{{"Ctrl-C", syscall.SIGINT, 130}, {"kill", syscall.SIGTERM, 143}, {"a closed terminal", syscall.SIGHUP, 129}} {
		t.Run(c.name, func(t *testing.T) {
			if signal.Ignored(c.signal) {
				t.Skip("the tests were started by nohup or the like, and so is kubestep")
			}
			dir, cmd := longRun(t, "-o", "stream", "--trace-out")
			defer start(t, cmd).Close()
			if names := golden.Entries(t, dir); len(names) != 2 {
				t.Errorf("during the run, the directory holds %q; want the scenario and the beginning of a trace", names)
			}
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			wantEnd(t, cmd, c.code, dir)
		})
	}
}

// TestReaderCloses ends the reader of standard output, as head does. The run ends with it, and leaves nothing.
func TestReaderCloses(t *testing.T) {
	dir, cmd := longRun(t, "-o", "stream", "--trace-out")
	start(t, cmd).Close()
	wantEnd(t, cmd, 141, dir)
}

// longRun is a run that writes a trace to the directory of its scenario.
func longRun(t *testing.T, flags ...string) (dir string, cmd *exec.Cmd) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "long.yaml"), []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"run", filepath.Join(dir, "long.yaml")}, flags...)
	return dir, kubestep(t, append(args, filepath.Join(dir, "trace.jsonl"))...)
}

// start starts a run, and reads its first record from the pipe that is its standard output. It kills one that
// does not end in a minute.
func start(t *testing.T, cmd *exec.Cmd) (out *os.File) {
	t.Helper()
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = in, os.Stderr
	err = cmd.Start()
	in.Close()
	if err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() { timer.Stop() })
	first := make([]byte, len(`{"seq":1,`))
	if _, err := io.ReadFull(out, first); err != nil || string(first) != `{"seq":1,` {
		t.Errorf("the trace begins with %q, %v", first, err)
	}
	return out
}

// wantEnd waits for the end of a run that was stopped.
func wantEnd(t *testing.T, cmd *exec.Cmd, code int, dir string) {
	t.Helper()
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != code {
		t.Errorf("%v, want exit code %d", err, code)
	}
	if names := golden.Entries(t, dir); !slices.Equal(names, []string{"long.yaml"}) {
		t.Errorf("the directory holds %q", names)
	}
}
