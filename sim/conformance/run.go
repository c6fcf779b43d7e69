package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/kubestep/kubestep/sim/conformance/kept"
	"github.com/kubestep/kubestep/sim/conformance/process"
	"github.com/kubestep/kubestep/sim/conformance/score"
	"github.com/kubestep/kubestep/sim/conformance/upstream"
)

// The states in which a test ends, beside score.Pass and score.Skip.
const (
	failed = "fail"
	// crashed means that its process ended without a result.
	crashed = "crash"
	timeout = "timeout"
	// frozen means that a goroutine waited for something that virtual time does not cover.
	frozen = "frozen"
)

// result is how a test ended. It is kept as a line of JSON.
type result struct {
	score.Test
	State  string
	Result process.Result
	// Kubernetes is the version that the test is of.
	Kubernetes string
	// Wall is real time, in seconds.
	Wall float64
	// Log is the end of the log of a test that did not pass.
	Log string `json:",omitempty"`
}

// runAll runs tests, some at a time, and returns their results in the order of the tests.
func runAll(o *options, tests []score.Test) ([]*result, error) {
	if err := os.MkdirAll(o.logs(), 0o755); err != nil {
		return nil, err
	}
	kubernetes, err := module(o, "{{.Version}}", upstream.Modules[0])
	if err != nil {
		return nil, err
	}
	file, before, err := kept.Open[result](o.results(), o.resume)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	results := earlier(before, tests, kubernetes)
	kept.Run(file, results, o.parallel, func(i int) *result {
		r := runOne(o, tests[i])
		r.Kubernetes = kubernetes
		return r
	}, func(r *result, done int) { progress(o, r, done, len(tests)) })
	return results, nil
}

// earlier returns those of the results of a run before that are of this version of Kubernetes, in the order of the tests, nil for a test
// without one.
func earlier(before []*result, tests []score.Test, kubernetes string) []*result {
	known := map[score.Test]*result{}
	for _, r := range before {
		if r.Kubernetes == kubernetes {
			known[r.Test] = r
		}
	}
	results := make([]*result, len(tests))
	for i, t := range tests {
		results[i] = known[t]
	}
	return results
}

// progress says on standard error what is done.
func progress(o *options, r *result, done, all int) {
	if o.verbose {
		fmt.Fprint(os.Stderr, r.Log)
	}
	fmt.Fprintf(os.Stderr, "[%d/%d] %-7s %s %s (%.0fs)\n", done, all, r.State, r.Package, r.Name, r.Wall)
}

// runOne runs a test in a process of its own.
func runOne(o *options, t score.Test) *result {
	ctx, cancel := context.WithTimeout(context.Background(), o.timeout)
	defer cancel()
	path, err := filepath.Abs(o.program())
	if err != nil {
		return &result{Test: t, State: crashed, Log: err.Error()}
	}
	command := exec.CommandContext(ctx, path, t.Package, t.Name)
	command.Dir = o.directory(t.Package)
	// A test that takes too long says where its goroutines are.
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGQUIT) }
	command.WaitDelay = 5 * time.Second
	var out, log bytes.Buffer
	command.Stdout, command.Stderr = &out, &log
	begin := time.Now()
	err = command.Run()
	r := &result{Test: t, Wall: time.Since(begin).Seconds()}
	// What the tests themselves print comes before the result.
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	decoded := json.Unmarshal([]byte(lines[len(lines)-1]), &r.Result) == nil && r.Result.Test == t.Name
	switch {
	case ctx.Err() != nil:
		r.State = timeout
	case command.ProcessState.ExitCode() == process.ExitFrozen:
		r.State = frozen
	case !decoded:
		r.State = crashed
	case r.Result.Failed:
		r.State = failed
	case err != nil:
		r.State = crashed
	case r.Result.Skipped:
		r.State = score.Skip
	default:
		r.State = score.Pass
	}
	file := filepath.Join(o.logs(), strings.ReplaceAll(t.Package, "/", "-")+"-"+t.Name+".log")
	if err := os.WriteFile(file, log.Bytes(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "Error: keeping the log:", err)
	}
	if o.verbose {
		r.Log = log.String()
	} else if r.State != score.Pass {
		r.Log = lastPart(&log)
	}
	return r
}

// lastPart is the end of a log.
func lastPart(log *bytes.Buffer) string {
	const most = 4000
	text := log.String()
	return text[max(0, len(text)-most):]
}
