package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// counts is what a run has done, without any time. All but Allocations are exact; see countsOf.
type counts struct {
	Events      int64  `json:"events"`
	Syncs       int64  `json:"syncs"`
	Requests    int64  `json:"requests"`
	Records     int64  `json:"records"`
	Allocations uint64 `json:"allocations"`
	Virtual     float64
	Result      string
}

// note counts a record.
func (c *counts) note(record *trace.Record) {
	if record.Sync != nil && record.Sync.Phase == trace.PhaseStart {
		c.Syncs++
	}
	if record.Request != nil {
		c.Requests++
	}
}

// take takes what the outcome says.
func (c *counts) take(outcome *runner.Outcome) {
	c.Events, c.Records = outcome.Events, outcome.Records
	c.Virtual, c.Result = outcome.VirtualSeconds, outcome.Result
}

// countVariable has the name of the workload that a process is to count and nothing else.
const countVariable = "PERFORMANCE_COUNT"

// counting counts a workload if the process was started for that, and exits.
func counting() {
	name := os.Getenv(countVariable)
	if name == "" {
		return
	}
	c, err := count(name)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// count makes the run of a workload in this process, which has made none. It collects no garbage if there is enough memory:
// collections empty the pools of packages, so that allocations would depend on their instants.
func count(name string) (*counts, error) {
	w := find(name)
	if w == nil {
		return nil, fmt.Errorf("no workload %q", name)
	}
	scenario, err := w.load()
	if err != nil {
		return nil, err
	}
	const enough = 2 << 30
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(enough)
	runtime.GOMAXPROCS(1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c := &counts{}
	outcome, err := runner.Run(scenario, runner.RunOptions{Sinks: []trace.Sink{func(record *trace.Record, _ []byte) { c.note(record) }}})
	runtime.ReadMemStats(&after)
	if err != nil {
		return nil, err
	}
	c.take(outcome)
	c.Allocations = after.Mallocs - before.Mallocs
	return c, nil
}

// countsOf counts a workload in a new process of this program. What was not yet in use in a process, such as a table that is made
// when it is first needed, would otherwise count for the first workload only.
func countsOf(name string) (*counts, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(plain(os.Environ()), countVariable+"="+name)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("counting %s: %w", name, err)
	}
	c := &counts{}
	return c, json.Unmarshal(out, c)
}

// plain is an environment without the settings of the Go runtime.
func plain(env []string) (left []string) {
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG":
		default:
			left = append(left, entry)
		}
	}
	return left
}

// isNear reports whether two numbers of allocations are alike: within a hundredth. Maps of Go grow by the hashes of their keys, which are
// drawn in each process.
func isNear(a, b uint64) bool {
	const hundredth = 0.01
	return math.Abs(float64(a)-float64(b)) <= hundredth*float64(max(a, b))
}

// table writes rows of Markdown.
func table(out io.Writer, head []string, rows [][]string) {
	rule := make([]string, len(head))
	for i := range rule {
		rule[i] = "---"
	}
	for _, row := range append([][]string{head, rule}, rows...) {
		fmt.Fprintf(out, "| %s |\n", strings.Join(row, " | "))
	}
}
