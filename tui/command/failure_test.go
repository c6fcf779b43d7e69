package command

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
)

// TestAKeyIsToldOnce: a key of which an invariant has told is not listed again, and no other check can take it off the list.
func TestAKeyIsToldOnce(t *testing.T) {
	key := invariant.Requeue{Controller: "mine", Queue: "farms", Key: "default/web", Failures: 6, Error: "no"}
	for _, test := range []struct {
		name   string
		check  runner.CheckResult
		listed bool
	}{
		{"the invariant about the key", runner.CheckResult{Name: "convergence", Message: key.String(), Requeue: &key}, false},
		{"a check whose message holds the same words", runner.CheckResult{Name: "own", Message: "false: " + key.String()}, true},
	} {
		test.check.Result = runner.Fail
		var out strings.Builder
		(&failures{}).print(&out, &runner.Outcome{
			Result: runner.Fail, Checks: []runner.CheckResult{test.check}, Requeues: []invariant.Requeue{key},
		}, "small.yaml", 0)
		if got := strings.Contains(out.String(), "Still retried"); got != test.listed {
			t.Errorf("%s: listed: %t\n%s", test.name, got, out.String())
		}
	}
}
