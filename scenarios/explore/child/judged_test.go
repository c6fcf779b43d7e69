package child

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestJudged judges a run by the run of its seed without its faults:
//
//	judge
//	TIME fault                  a fault acts
//	TIME write OBJECT           a request changes an object
//	restless                    the run is not at rest at its end
//	hot CONTROLLER              a controller does the same without end
//	awaits CONTROLLER KEY       a controller looks at the key again at a time that is still to come
//	ailing                      one more Pod has not recovered
//	fails STEP                  a step waits in vain, which ends the run
//	without
//	...                         the same for the other run
func TestJudged(t *testing.T) {
	datadriven.RunTest(t, "testdata/judged.txt", func(t *testing.T, d *datadriven.TestData) string {
		with, without, _ := strings.Cut(d.Input, "without\n")
		run, other := judged(t, with), judged(t, without)
		if err := run.compareEnds(other, nil); err != nil {
			return err.Error() + "\n"
		}
		report := run.Against(other)
		out := report.Result + "\n"
		if report.Undecided != "" {
			out += "not compared: " + report.Undecided + "\n"
		}
		for _, failure := range report.Failures {
			out += fmt.Sprintf("%s: %s\n", failure.Name, failure.Message)
		}
		return out
	})
}

func judged(t *testing.T, text string) *Reporter {
	t.Helper()
	run, outcome := NewReporter(1, &format.Scenario{}), &runner.Outcome{Result: runner.Pass, Rests: true}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch words[0] {
		case "restless":
			outcome.Rests = false
		case "hot":
			hot := &invariant.Hot{
				Object: "deployments/web", Resource: "deployments.apps", Controllers: words[1:], Work: invariant.HotSyncs, Count: 600, Seconds: 60,
			}
			outcome.Result, outcome.Hot = runner.Fail, append(outcome.Hot, hot)
			outcome.Checks = []runner.CheckResult{{Name: "convergence", Result: runner.Fail, Invariant: true, Message: hot.String(), Hot: hot}}
		case "awaits":
			outcome.Awaits = append(outcome.Awaits, invariant.Await{Controller: words[1], Key: words[2]})
		case "ailing":
			outcome.Ailing++
		case "fails":
			outcome.Result = runner.Fail
			outcome.Checks = []runner.CheckResult{{Name: words[1], Result: runner.Fail, Message: "timed out"}}
		default:
			run.Note(recordOf(t, words), nil)
		}
	}
	run.End(outcome, false)
	return run
}

func recordOf(t *testing.T, words []string) *trace.Record {
	t.Helper()
	at, err := time.ParseDuration(words[0])
	if err != nil {
		t.Fatal(err)
	}
	record := &trace.Record{At: at, Actor: "deployment-controller"}
	switch words[1] {
	case "fault":
		record.Fault = &trace.Fault{Rule: "flaky-api", Effect: "500 InternalError", Verb: "update", Object: trace.Object{Resource: "pods"}}
	case "write":
		resource, name, _ := strings.Cut(words[2], "/")
		object := trace.Object{Resource: resource, Name: name}
		record.Request = &trace.Request{Verb: "update", Object: object, Writes: []trace.Write{{Op: trace.OpUpdate, Object: object}}}
	default:
		t.Fatalf("unknown line %q", words)
	}
	return record
}
