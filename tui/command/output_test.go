package command

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestOutputs prints one small run in each format: the records, and then the verdict. The script shows what goes
// to standard output (1) and to standard error (2).
func TestOutputs(t *testing.T) {
	datadriven.RunTest(t, "testdata/outputs.txt", func(t *testing.T, d *datadriven.TestData) string {
		flags := &runFlags{width: widthOfTerminal, verbose: d.HasArg("verbose")}
		d.ScanArgs(t, "format", &flags.output)
		d.MaybeScanArgs(t, "width", &flags.width)
		result := runner.Pass
		d.MaybeScanArgs(t, "result", &result)

		var stdout, stderr bytes.Buffer
		streams := cli.Streams{Out: &stdout, Err: &stderr}
		r := &oneRun{streams: streams, file: "small.yaml", flags: flags, to: newOutputs(streams, flags)}
		outcome := &runner.Outcome{
			Scenario: "small", Result: result, Seed: 7, Records: 13, Events: 2, Promise: "stock", TraceHash: "sha256:0",
			KubernetesVersion: "v1", VirtualSeconds: 13, SettledSeconds: 12, Warnings: []string{"a warning"},
			Checks: []runner.CheckResult{{Name: "enough", Result: result, Message: "a message"}},
		}
		for i := range 13 {
			record := &trace.Record{
				Seq: int64(i + 1), At: time.Duration(i) * time.Second, Kind: trace.KindCheck,
				Check: &trace.Check{Name: "other", Passed: true, Message: fmt.Sprintf("record %d", i+1)},
			}
			if i == 12 {
				record.Check = &trace.Check{Name: "enough", Passed: result == runner.Pass, Message: "a message"}
			}
			for _, sink := range r.to.sinks {
				sink(record, record.Line())
			}
		}
		r.to.close()
		if err := r.conclude(outcome, nil); err != nil {
			t.Fatal(err)
		}
		r.to.flush()
		var answer strings.Builder
		for i, stream := range []bytes.Buffer{stdout, stderr} {
			for line := range strings.Lines(stream.String()) {
				fmt.Fprintln(&answer, strings.TrimRight(fmt.Sprintf("%d| %s", i+1, line), " \n"))
			}
		}
		return answer.String()
	})
}
