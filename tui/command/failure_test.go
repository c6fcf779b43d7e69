package command

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/trace"
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
		newFailures().print(&out, &runner.Outcome{
			Result: runner.Fail, Checks: []runner.CheckResult{test.check}, Requeues: []invariant.Requeue{key},
		}, "small.yaml", 0, noWhy)
		if got := strings.Contains(out.String(), "Still retried"); got != test.listed {
			t.Errorf("%s: listed: %t\n%s", test.name, got, out.String())
		}
	}
}

// TestTheLastRecordsNameTheirCauses: the cause of one of the last records before a failed check may be far before them.
func TestTheLastRecordsNameTheirCauses(t *testing.T) {
	pod := trace.Object{Resource: "pods", Namespace: "default", Name: "web-0"}
	f := newFailures()
	records := []*trace.Record{{Kind: trace.KindWatch, Actor: "shared-informers", Watch: &trace.Watch{Type: "DELETED", Object: pod}}}
	for range 2 * contextLines {
		records = append(records, &trace.Record{Kind: trace.KindCheck, Check: &trace.Check{Name: "other", Passed: true}})
	}
	records = append(records,
		&trace.Record{Kind: trace.KindEnqueue, Actor: "mine", Cause: 1, Enqueue: &trace.Enqueue{Key: "default/web-0"}},
		&trace.Record{Kind: trace.KindCheck, Check: &trace.Check{Name: "enough"}})
	for i, record := range records {
		record.Seq = int64(i + 1)
		f.note(record, nil)
	}
	var out strings.Builder
	f.print(&out, &runner.Outcome{Result: runner.Fail, Checks: []runner.CheckResult{{Name: "enough", Result: runner.Fail}}}, "small.yaml", 0, noWhy)
	if want := "because pods/web-0 DELETED"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is missing:\n%s", want, out.String())
	}
}

func noWhy(string, string) string { return "" }

// TestAFailureSaysWhy: a failed check has a command that says why, about what the write was about that broke it, at the record.
func TestAFailureSaysWhy(t *testing.T) {
	pod := trace.Object{Resource: "pods", Namespace: "team", Name: "web-0"}
	const owned = `{"metadata":{"name":"web-0","ownerReferences":[{"kind":"StatefulSet","name":"web","controller":true}]}}`
	for _, test := range []struct {
		name  string
		write trace.Write
		check runner.CheckResult
		want  string
	}{
		{"a creation", trace.Write{Op: trace.OpCreate, Object: pod, New: []byte(owned)}, runner.CheckResult{}, "why statefulset/web -n team at 2"},
		{"an update", trace.Write{Op: trace.OpUpdate, Object: pod}, runner.CheckResult{}, "why pods/web-0 -n team at 2"},
		{"a deletion", trace.Write{Op: trace.OpDelete, Object: pod}, runner.CheckResult{}, "why  at 2"},
		{
			"an object that is stuck", trace.Write{Op: trace.OpUpdate, Object: pod},
			runner.CheckResult{Stuck: &invariant.Stuck{Object: "services/web"}}, "why services/web at 2",
		},
	} {
		f := newFailures()
		f.mark(&trace.Record{Seq: 1, Kind: trace.KindRequest, Request: &trace.Request{Writes: []trace.Write{test.write}}}, nil)
		f.mark(&trace.Record{Seq: 2, Kind: trace.KindCheck, Cause: 1, Check: &trace.Check{Name: "enough"}}, nil)
		f.mark(&trace.Record{Seq: 3, Kind: trace.KindCheck, Check: &trace.Check{Name: "enough"}}, nil)
		test.check.Name, test.check.Result, test.check.Message = "enough", runner.Fail, "no"
		var out strings.Builder
		f.print(&out, &runner.Outcome{Result: runner.Fail, Checks: []runner.CheckResult{test.check}}, "small.yaml", 0,
			func(object, at string) string { return "why " + object + " at " + at })
		if !strings.Contains(out.String(), "  Why: "+test.want+"\n") {
			t.Errorf("%s: want %q:\n%s", test.name, test.want, out.String())
		}
	}
}
