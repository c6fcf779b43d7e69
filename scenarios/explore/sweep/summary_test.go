package sweep_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestSummary writes the summary of results: which runs are in one group, and which are outliers.
//
//	summary [max-records=NUMBER]
//	RESULT    one line of results.jsonl
func TestSummary(t *testing.T) {
	datadriven.RunTest(t, "testdata/summary.txt", func(t *testing.T, d *datadriven.TestData) string {
		store, err := sweep.Open("", sweep.Header{Name: "web", File: "web.yaml", Spaces: "flaky-api", Compared: true})
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(d.Input) {
			result := &sweep.Result{}
			if err := json.Unmarshal([]byte(line), result); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if err := store.Add(result); err != nil {
				t.Fatal(err)
			}
		}
		var out strings.Builder
		s := &sweep.Summary{Results: store.Results()}
		for _, arg := range d.CmdArgs {
			s.Limits = map[trace.HaltReason]string{trace.HaltRecords: "--" + arg.Key + " " + arg.Vals[0]}
		}
		s.Text(&out)
		return out.String()
	})
}
