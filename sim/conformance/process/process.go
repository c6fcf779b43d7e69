// Package process is the main function of the program that package upstream makes: it runs one of Kubernetes' integration
// tests in a bubble of virtual time and reports how it ended.
//
//	conformance PACKAGE TEST    runs a test; its log goes to standard error, and its result, one line of JSON, to
//	                            standard output
//	conformance                 lists packages and tests, one of them a line
//
// Upstream keeps state for the process, and a test may leave goroutines behind, so that a process runs one test and ends
// with it. It also ends when it holds too much memory, and when virtual time does not proceed for too long.
package process

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"syscall"
	"time"

	"k8s.io/klog/v2"

	"github.com/kubestep/kubestep/sim/conformance/server"
	"github.com/kubestep/kubestep/sim/conformance/testing"
	"github.com/kubestep/kubestep/sim/engine"
)

// Result is how a test ended.
type Result struct {
	Package, Test   string
	Failed, Skipped bool
	// Passed is the number of subtests that passed, and FailedSubtests those that failed.
	Passed         int
	FailedSubtests []string `json:",omitempty"`
	// Virtual and CPU are seconds.
	Virtual, CPU float64
	// Notes are what the tests asked for that the simulation ignores.
	Notes []string `json:",omitempty"`
}

// Exit codes of the process.
const (
	ExitFailed = 1
	ExitUsage  = 2
	// ExitFrozen means that a goroutine waits for something that virtual time does not cover.
	ExitFrozen = 3
	// ExitMemory means that the process held more than MaxMemory.
	ExitMemory = 4
)

// MaxMemory is what a test may hold, in bytes.
const MaxMemory = 4 << 30

// patience is the real time without progress after which a simulation counts as frozen.
const patience = 30 * time.Second

// Tests are the tests of each package.
type Tests = map[string]map[string]func(*testing.T)

// Main runs the test that the command line names. It does not return.
func Main(packages Tests) {
	if len(os.Args) == 1 {
		for _, pkg := range slices.Sorted(maps.Keys(packages)) {
			for _, test := range slices.Sorted(maps.Keys(packages[pkg])) {
				fmt.Println(pkg, test)
			}
		}
		os.Exit(0)
	}
	if len(os.Args) != 3 || packages[os.Args[1]][os.Args[2]] == nil {
		fmt.Fprintln(os.Stderr, "usage: conformance PACKAGE TEST; without arguments, it lists them")
		os.Exit(ExitUsage)
	}
	// The runtime starts its goroutine for signals when the first one is asked for, which must not be in the bubble.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR2)
	klog.EnableContextualLogging(true)
	seed, _ := strconv.ParseUint(cmp.Or(os.Getenv("CONFORMANCE_SEED"), "0"), 10, 64)
	server.Setting.Seed = seed
	server.Setting.Progress = &engine.Progress{}
	server.Setting.Trace = os.Getenv("CONFORMANCE_TRACE")
	engine.Watch(server.Setting.Progress, patience, func(frozen *engine.FrozenError) {
		fmt.Fprintf(os.Stderr, "%v\n\n%s\n", frozen, frozen.Stuck)
		os.Exit(ExitFrozen)
	})
	// What is garbage is not held: it is collected before the limit is near.
	debug.SetMemoryLimit(MaxMemory / 2)
	go watchMemory()
	err := engine.Bubble(server.Date, func() { play(os.Args[1], os.Args[2], packages[os.Args[1]][os.Args[2]]) })
	// The bubble ends only by a panic: play ends the process.
	fmt.Fprintln(os.Stderr, err)
	os.Exit(ExitFailed)
}

// play runs a test and ends the process. What the test left running ends with it.
func play(pkg, name string, test func(*testing.T)) {
	begin := time.Now()
	top, subtests := testing.Play(name, test, os.Stderr)
	result := Result{
		Package: pkg, Test: name, Failed: top.Failed, Skipped: top.Skipped,
		FailedSubtests: testing.Failures(subtests), Virtual: time.Since(begin).Seconds(), CPU: cpu(),
		Notes: server.Notes(),
	}
	for _, subtest := range subtests {
		if !subtest.Failed && !subtest.Skipped {
			result.Passed++
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if result.Failed {
		os.Exit(ExitFailed)
	}
	os.Exit(0)
}

// watchMemory ends the process when it holds too much. It looks from outside the bubble, in real time.
func watchMemory() {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(200 * time.Millisecond) {
		metrics.Read(samples)
		if used := samples[0].Value.Uint64() - samples[1].Value.Uint64(); used > MaxMemory {
			fmt.Fprintf(os.Stderr, "the test holds %d MiB of memory\n", used>>20)
			os.Exit(ExitMemory)
		}
	}
}
