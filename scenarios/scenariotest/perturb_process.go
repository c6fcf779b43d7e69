package scenariotest

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/sim/trace"
)

// workerVariable is the environment variable that names the call of Perturb for which a process works.
const workerVariable = "KUBESTEP_PERTURB"

// calls counts the calls of Perturb in each test.
var (
	callsMu sync.Mutex
	calls   = map[string]int{}
)

// nextCall names a call of Perturb: the second one of TestScale is TestScale#2.
func nextCall(test string) string {
	callsMu.Lock()
	defer callsMu.Unlock()
	calls[test]++
	return fmt.Sprintf("%s#%d", test, calls[test])
}

// worker is a process that makes runs for this call.
func (p *perturbation) worker() *child.Worker {
	var levels []string
	for level := range strings.SplitSeq(p.t.Name(), "/") {
		levels = append(levels, "^"+regexp.QuoteMeta(level)+"$")
	}
	return &child.Worker{
		Command: []string{"-test.run=" + strings.Join(levels, "/"), "-test.count=1", "-test.timeout=0"},
		Env:     []string{workerVariable + "=" + p.call},
	}
}

// served makes the runs that standard input asks for and ends the process, if this is the call that it was started for.
func served(t testing.TB, o *options) {
	want := os.Getenv(workerVariable)
	if want == "" || nextCall(t.Name()) != want {
		return
	}
	// What the controllers print must not get among the reports.
	out := os.Stdout
	os.Stdout = os.Stderr
	server := child.Server{Out: out, Controllers: o.run.Controllers, Exit: func(trace.Halt) { os.Exit(exitFault) }}
	if err := server.Serve(os.Stdin); err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}
