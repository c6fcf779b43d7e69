package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/kubestep/kubestep/scenarios/serving/e2e/outcome"
	"github.com/kubestep/kubestep/sim/conformance/kept"
)

// The states in which a test ends, beside those that the program reports: outcome.Pass, outcome.Skip and fail.
const (
	// crashed means that its process ended without a result.
	crashed = "crash"
	timeout = "timeout"
)

// result is how a test ended. It is kept as a line of JSON.
type result struct {
	Name, State string
	// Message says why a test failed, and Location where.
	Message, Location string `json:",omitempty"`
	// Virtual, CPU and Wall are seconds: those of the test in its cluster, and those of its process.
	Virtual, CPU, Wall float64
	// Kubernetes is the version that the test is of.
	Kubernetes string
}

// runAll runs tests, some at a time, and returns their results in the order of the tests.
func runAll(o *options, tests []string, version string) ([]*result, error) {
	if err := os.MkdirAll(o.logs(), 0o755); err != nil {
		return nil, err
	}
	file, before, err := kept.Open[result](o.results(), o.resume)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	known := map[string]*result{}
	for _, r := range before {
		if r.Kubernetes == version {
			known[r.Name] = r
		}
	}
	results := make([]*result, len(tests))
	for i, name := range tests {
		results[i] = known[name]
	}
	kept.Run(file, results, o.parallel, func(i int) *result {
		r := runOne(o, tests[i])
		r.Kubernetes = version
		return r
	}, func(r *result, done int) {
		fmt.Fprintf(os.Stderr, "[%d/%d] %-7s %s (%.0fs)\n", done, len(tests), r.State, r.Name, r.Wall)
	})
	return results, nil
}

// runOne runs a test in a process of its own.
func runOne(o *options, name string) *result {
	ctx, cancel := context.WithTimeout(context.Background(), o.timeout)
	defer cancel()
	path, err := filepath.Abs(o.program())
	if err != nil {
		return &result{Name: name, State: crashed, Message: err.Error()}
	}
	command := exec.CommandContext(ctx, path, name)
	// A test that takes too long says where its goroutines are.
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGQUIT) }
	command.WaitDelay = 5 * time.Second
	var log bytes.Buffer
	command.Stdout, command.Stderr = &log, &log
	begin := time.Now()
	err = command.Run()
	r := resultIn(log.Bytes())
	switch {
	case ctx.Err() != nil:
		r.State = timeout
	case r.Name != name || err != nil && r.State == outcome.Pass:
		r.State = crashed
	}
	r.Name, r.Wall = name, time.Since(begin).Seconds()
	if state := command.ProcessState; state != nil {
		r.CPU = (state.UserTime() + state.SystemTime()).Seconds()
	}
	if err := os.WriteFile(o.log(name), log.Bytes(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "Error: keeping the log:", err)
	}
	if o.verbose {
		fmt.Fprint(os.Stderr, log.String())
	}
	return r
}

// resultIn is the result that a program has printed in its log.
func resultIn(log []byte) *result {
	r := &result{}
	for line := range bytes.Lines(log) {
		if bytes.HasPrefix(line, []byte(`{"Name":`)) {
			_ = json.Unmarshal(line, r)
		}
	}
	return r
}

// others are the characters of a name that the name of its file does not have.
var others = regexp.MustCompile(`[^A-Za-z0-9]+`)

// log is the file with the log of a test.
func (o *options) log(name string) string {
	name = strings.Trim(others.ReplaceAllString(name, "-"), "-")
	return filepath.Join(o.logs(), name[:min(len(name), 200)]+".log")
}
