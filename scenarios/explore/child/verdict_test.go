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
		if report.Result != runner.Stuck || report.Stuck != test.text || report.End != test.end {
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

// TestStuckAtAFailingStep: a run whose step waits in vain says what the controller did last, as others do.
func TestStuckAtAFailingStep(t *testing.T) {
	stuck := &invariant.Stuck{Object: "deployments/web", Missing: "no ReplicaSet", Dropped: true}
	report := child.NewReporter(1, &format.Scenario{}).End(&runner.Outcome{
		Result: runner.Fail, Unmet: []runner.Unmet{{Object: "deployments/web", Stuck: true, Standstill: stuck}},
	}, false)
	if want := "stuck deployments/web: no ReplicaSet dropped"; report.Result != runner.Stuck || report.End != want {
		t.Errorf("%s: %s, want %s", report.Result, report.End, want)
	}
}

// TestHotReason: seeds in which the same controller is hot have the same end, however often it does what it does, and with which object.
func TestHotReason(t *testing.T) {
	hot := func(object string, count int) *invariant.Hot {
		return &invariant.Hot{
			Object: object, Resource: "daemonsets.apps", Controllers: []string{"daemonset-controller"}, Work: invariant.HotCreates, Kind: "Pod",
			Wanted: 1, Count: count, Seconds: 30,
		}
	}
	for _, test := range []struct {
		hot    *invariant.Hot
		result string
		text   string
	}{
		{hot("daemonsets/agent", 486), runner.Fail, "daemonsets/agent: daemonset-controller created 486 Pods in 30s for 1 that it wants"},
		{hot("daemonsets/other", 77), runner.Fail, "daemonsets/other: daemonset-controller created 77 Pods in 30s for 1 that it wants"},
		{hot("daemonsets/agent", 486), runner.Pass, ""}, // as expected
	} {
		report := child.NewReporter(1, &format.Scenario{}).End(&runner.Outcome{Result: test.result, Checks: []runner.CheckResult{
			{Name: "no-hot-loop", Result: test.result, Message: test.hot.String(), Invariant: true, Hot: test.hot},
		}}, false)
		want, end := runner.Pass, ""
		if test.result == runner.Fail {
			want, end = runner.Hot, "hot daemonsets.apps daemonset-controller creates Pod"
		}
		if report.Result != want || report.Hot != test.text || report.End != end {
			t.Errorf("%s: hot: %s\nend: %s", report.Result, report.Hot, report.End)
		}
	}
}
