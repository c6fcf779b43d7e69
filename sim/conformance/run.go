package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/kubestep/kubestep/sim/conformance/process"
)

// test is one test of upstream.
type test struct{ pkg, name string }

func (t test) String() string { return t.pkg + " " + t.name }

// The states in which a test ends.
const (
	passed  = "pass"
	skipped = "skip"
	failed  = "fail"
	// crashed means that its process ended without a result.
	crashed = "crash"
	timeout = "timeout"
	// frozen means that a goroutine waited for something that virtual time does not cover.
	frozen = "frozen"
)

// result is how a test ended.
type result struct {
	test
	State string
	process.Result
	// Wall is real time, in seconds.
	Wall float64
	// Log is the end of the log of a test that did not pass.
	Log string `json:",omitempty"`
}

// resultsFile keeps the results of a run, to resume it.
const resultsFile = folder + "/results.jsonl"

// runAll runs tests, some at a time, and returns their results in the order of the tests.
func runAll(o *options, tests []test) ([]*result, error) {
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return nil, err
	}
	results, err := earlier(o, tests)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(resultsFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var writing sync.Mutex
	var running sync.WaitGroup
	slots := make(chan struct{}, max(1, o.parallel))
	done := 0
	for i, t := range tests {
		if results[i] != nil {
			done++
			continue
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			r := runOne(o, t)
			writing.Lock()
			defer writing.Unlock()
			results[i] = r
			done++
			progress(o, r, done, len(tests))
			line, err := json.Marshal(kept{r.pkg, r.name, r.State, r.Result, r.Wall, r.Log})
			if err == nil {
				_, err = file.Write(append(line, '\n'))
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, "Error: keeping the result:", err)
			}
		})
	}
	running.Wait()
	return results, nil
}

// kept is a result in the file.
type kept struct {
	Package, Test, State string
	Result               process.Result
	Wall                 float64
	Log                  string `json:",omitempty"`
}

// earlier returns the results that a run before has left, nil for a test without one, or starts the file again.
func earlier(o *options, tests []test) ([]*result, error) {
	results := make([]*result, len(tests))
	if !o.resume {
		return results, os.RemoveAll(resultsFile)
	}
	data, err := os.ReadFile(resultsFile)
	if errors.Is(err, os.ErrNotExist) {
		return results, nil
	} else if err != nil {
		return nil, err
	}
	known := map[test]*result{}
	for line := range bytes.Lines(data) {
		var k kept
		// The last line may be half a line, if the run was killed.
		if json.Unmarshal(line, &k) == nil {
			t := test{k.Package, k.Test}
			known[t] = &result{test: t, State: k.State, Result: k.Result, Wall: k.Wall, Log: k.Log}
		}
	}
	for i, t := range tests {
		results[i] = known[t]
	}
	return results, nil
}

// progress says on standard error what is done.
func progress(o *options, r *result, done, all int) {
	if o.verbose {
		fmt.Fprint(os.Stderr, r.Log)
	}
	fmt.Fprintf(os.Stderr, "[%d/%d] %-7s %s %s (%.0fs)\n", done, all, r.State, r.pkg, r.name, r.Wall)
}

// runOne runs a test in a process of its own.
func runOne(o *options, t test) *result {
	ctx, cancel := context.WithTimeout(context.Background(), o.timeout)
	defer cancel()
	path, err := filepath.Abs(program)
	if err != nil {
		return &result{test: t, State: crashed, Log: err.Error()}
	}
	command := exec.CommandContext(ctx, path, t.pkg, t.name)
	command.Dir = directory(t.pkg)
	// A test that takes too long says where its goroutines are.
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGQUIT) }
	command.WaitDelay = 5 * time.Second
	var out, log bytes.Buffer
	command.Stdout, command.Stderr = &out, &log
	begin := time.Now()
	err = command.Run()
	r := &result{test: t, Wall: time.Since(begin).Seconds()}
	// What the tests themselves print comes before the result.
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	decoded := json.Unmarshal([]byte(lines[len(lines)-1]), &r.Result) == nil && r.Result.Test == t.name
	switch {
	case ctx.Err() != nil:
		r.State = timeout
	case command.ProcessState.ExitCode() == process.ExitFrozen:
		r.State = frozen
	case !decoded:
		r.State = crashed
	case r.Failed:
		r.State = failed
	case err != nil:
		r.State = crashed
	case r.Skipped:
		r.State = skipped
	default:
		r.State = passed
	}
	file := filepath.Join(logs, strings.ReplaceAll(t.pkg, "/", "-")+"-"+t.name+".log")
	if err := os.WriteFile(file, log.Bytes(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "Error: keeping the log:", err)
	}
	if o.verbose {
		r.Log = log.String()
	} else if r.State != passed {
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
