package perturb_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/scenariotest/internal/perturb"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestTheTableOfPatterns keeps the table in the documentation as the patterns are.
func TestTheTableOfPatterns(t *testing.T) {
	var rows []string
	for _, p := range perturb.Patterns() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", p.Name, p.Sentence, p.Wrong))
	}
	golden.Table(t, "../../../../docs/explanation/exploration.md",
		"| pattern | what goes wrong | what a controller does that does not expect it |", rows)
}

// TestPlans derives the plans for podcounter from the scenario that comes with it.
func TestPlans(t *testing.T) {
	scenario, err := runner.Open("podcounter")
	if err != nil {
		t.Fatal(err)
	}
	quiet := perturb.NewQuiet("podcounter", scenario)
	options := runner.RunOptions{
		Sinks: []trace.Sink{quiet.Note}, Answered: quiet.Answered, Controllers: map[string]controllers.Custom{},
	}
	if _, err := runner.Run(scenario, options); err != nil {
		t.Fatal(err)
	}
	quiet.End()
	var out strings.Builder
	for _, derived := range perturb.Derive(quiet, perturb.Patterns(), 4) {
		fmt.Fprintf(&out, "%s: %d of %d places\n", derived.Name, len(derived.Plans), derived.Places)
		for _, plan := range derived.Plans {
			fmt.Fprintf(&out, "  %s\n", plan.Place)
			for _, rule := range plan.Rules {
				fmt.Fprintf(&out, "    %s: %s\n", rule.Name, verb.DescribeFault(rule))
			}
		}
	}
	golden.Compare(t, "testdata/podcounter.txt", out.String())
}

// TestFindings groups what is wrong in the same words, whatever the numbers in them.
func TestFindings(t *testing.T) {
	failing := func(message string) *child.Report {
		return &child.Report{Result: runner.Fail, Failures: []child.Failure{{Name: "one-backup", Message: message}}}
	}
	var findings perturb.Findings
	findings.Add(perturb.Plan{Pattern: "conflict", Place: "at a"}, failing("false at 0.076s: there are 2"))
	findings.Add(perturb.Plan{Pattern: "conflict", Place: "at b"}, &child.Report{Result: runner.Pass})
	findings.Add(perturb.Plan{Pattern: "lost-answer", Place: "of c"}, failing("false at 3.1s: there are 4"))
	findings.Add(perturb.Plan{Pattern: "lost-answer", Place: "of d"}, &child.Report{Result: runner.Stuck, Stuck: "jobs.batch/a: no Pod"})
	if findings.Runs != 4 || findings.Failed != 3 || len(findings.All) != 2 || len(findings.All[0].Plans) != 2 {
		t.Errorf("%+v", findings)
	}
	if last := findings.All[1]; last.Name != runner.Stuck || last.Plans[0].String() != "lost-answer of d" {
		t.Errorf("%+v", last)
	}
}

// TestJudge fails a run that passes its checks and ends with other objects, unless these may differ.
func TestJudge(t *testing.T) {
	report := &child.Report{Result: runner.Pass, Comparison: &child.Comparison{
		Ends:     []string{"configmaps/copy: 2 objects, without the faults 1", "secrets/key: data.a x, without the faults y"},
		EndNames: []string{"configmaps/copy", "secrets/key"},
	}}
	if judged := perturb.Judge(report, nil); judged.Result != runner.Fail || judged.Failures[0].Name != child.SameEnd ||
		judged.Failures[0].Message != "configmaps/copy: 2 objects, without the faults 1 (and 1 more)" {
		t.Errorf("%+v", judged)
	}
	if judged := perturb.Judge(report, []string{"configmaps/copy", "secrets/"}); judged != report {
		t.Errorf("%+v", judged)
	}
}
