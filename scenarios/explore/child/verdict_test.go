package child_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
)

// TestStuckReason: seeds in which the same is stuck have the same end, whatever the texts of their errors are.
func TestStuckReason(t *testing.T) {
	key := func(failures int, err string) *invariant.Requeue {
		return &invariant.Requeue{Controller: "mine", Queue: "farms", Key: "default/web", Failures: failures, Dropped: true, Error: err}
	}
	for _, test := range []struct {
		stuck     *invariant.Stuck
		text, end string
	}{
		{
			&invariant.Stuck{Dropped: true, Key: key(6, "update farms/web: refused; (and nobody knows why: ask)")},
			"mine has dropped default/web of its queue farms: 6 failed in a row, the last at 0.000s, 0s after the previous one: " +
				"update farms/web: refused; (and nobody knows why: ask)",
			"stuck mine has dropped default/web of its queue farms",
		},
		{
			&invariant.Stuck{Dropped: true, Key: key(9, "another error")},
			"mine has dropped default/web of its queue farms: 9 failed in a row, the last at 0.000s, 0s after the previous one: another error",
			"stuck mine has dropped default/web of its queue farms",
		},
		{
			&invariant.Stuck{Object: "pods/web", Missing: "no node (and no hope); it has dropped out: twice"},
			"pods/web: no node (and no hope); it has dropped out: twice", "stuck pods/web: no node (and no hope); it has dropped out: twice",
		},
		{&invariant.Stuck{Object: "pods/web", Missing: "no node", Dropped: true}, "pods/web: no node", "stuck pods/web: no node dropped"},
	} {
		report := child.NewReporter(1, &format.Scenario{}).End(&runner.Outcome{Result: runner.Fail, Checks: []runner.CheckResult{
			{Name: "not-stuck", Result: runner.Fail, Message: test.text + " (and 2 more)", Invariant: true, Stuck: test.stuck},
		}}, false)
		if report.Result != child.Stuck || report.Stuck != test.text || report.End != test.end {
			t.Errorf("%s: stuck: %s\nend: %s", report.Result, report.Stuck, report.End)
		}
	}
}

// TestStuckAsExpected: a scenario that expects an object to be stuck is not stuck, however the message begins.
func TestStuckAsExpected(t *testing.T) {
	stuck := &invariant.Stuck{Object: "pods/web", Missing: "no node"}
	report := child.NewReporter(1, &format.Scenario{}).End(&runner.Outcome{
		Result: runner.Fail, Unmet: []runner.Unmet{{Object: "pods/web", Stuck: true}},
		Checks: []runner.CheckResult{{Name: "not-stuck", Result: runner.Pass, Message: "as expected", Invariant: true, Stuck: stuck}},
	}, false)
	if report.Result != runner.Fail || report.End != "" {
		t.Errorf("%s: %s", report.Result, report.End)
	}
}
