package task

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestStepsOfALearner reads sessions as they are written in the playground: the steps may be indented in any way, and what is wrong has its
// place in the text of the learner.
func TestStepsOfALearner(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing yet", "task: roll-back\nsteps:\n", "0 writes"},
		{"an empty list", "task: roll-back\nsteps: []\n", "0 writes"},
		{"a write", "task: roll-back\nsteps:\n- rollout: {undo: deployment/web}\n", "1 writes"},
		{
			"indented, with a wait and a manifest", "# mine\ntask: roll-back\nsteps:\n    - wait: {for: quiet 3s}\n    # why not\n" +
				"    - create: |\n        apiVersion: v1\n        kind: ConfigMap\n        metadata: {name: a}\n\n    - rollout:\n        undo: deployment/web\n",
			"2 writes",
		},
		{"a misspelled field", "task: roll-back\nsteps:\n- rollout: {undo: deployment/web}\n- scale: {target: deployment/web, replica: 1}\n",
			"4:10: scale.replicas: is required. Try: replicas: 3"},
		{"a misspelled field, indented", "task: roll-back\nsteps:\n      - scale: {target: deployment/web, replica: 1}\n",
			"3:16: scale.replicas: is required. Try: replicas: 3"},
		{"a step of the simulation", "task: roll-back\nsteps:\n- wait: {for: quiet 1s}\n- node: {fail: node-1}\n",
			"4:3: node changes the simulation. Try: a request, as kubectl sends it"},
		{"a misspelled task", "task: rollback\nsteps:\n", "1:7: there is no task rollback. Try: roll-back"},
		{"another key", "task: roll-back\nsteps:\n- rollout: {undo: deployment/web}\nchecks: []\n", "2:1: steps is not expected here"},
		{"a list in one line", "task: roll-back\nsteps: [{rollout: {undo: deployment/web}}]\n", "2:1: steps is not expected here"},
		{"no task", "steps:\n- note: a\n", "0:0: the name of the task is missing"},
		{"no YAML", "task: [\n", "0:0: this is not YAML"},
		{"many values", "task: &a [1]\nsteps: [*a, *b]\n", "0:0: this is not YAML"},
	} {
		t.Run(test.name, func(t *testing.T) {
			session, err := Parse(test.text)
			got := ""
			var list source.ErrorList
			switch {
			case err == nil:
				got = fmt.Sprintf("%d writes", session.Writes)
			case errors.As(err, &list):
				got = fmt.Sprintf("%d:%d: %s. Try: %s", list[0].Line, list[0].Column, words(list[0]), list[0].Try)
			default:
				t.Fatal(err)
			}
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("it is %q, not %q", got, test.want)
			}
		})
	}
}

// TestTheReportOfSteps holds that the report of steps is that of a session: Grade reads the session only, and gives the same.
func TestTheReportOfSteps(t *testing.T) {
	for undo, passed := range map[string]bool{"": false, "- rollout: {undo: deployment/web}\n- wait: {for: quiet 10s}\n": true} {
		task, err := Find("roll-back")
		if err != nil {
			t.Fatal(err)
		}
		if !IsSession(task.Steps()) || IsSession(string(task.Scenario.Source())) {
			t.Error("a session and a scenario are not told apart")
		}
		session, err := Parse(task.Steps() + undo)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := runner.Run(session.Scenario, runner.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := session.Report(outcome)
		if err != nil {
			t.Fatal(err)
		}
		if report.Passed != passed {
			t.Errorf("with the steps %q, the report is %+v", undo, report.Checks)
		}
		again, err := Grade([]byte(report.Session))
		if err != nil || !again.Same(report) {
			t.Errorf("the same session has another grade: %+v, %v", again, err)
		}
	}
}

// words are what an error says, without its place.
func words(err *source.Error) string {
	bare := *err
	bare.Position = source.Position{}
	return bare.Error()
}
