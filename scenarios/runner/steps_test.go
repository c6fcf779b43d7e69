package runner

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestCommandsDoNotWaitForEachOther: each command of kubectl has a client of its own, so 60 of them do not share a rate limit, which
// would let 20 a second pass.
func TestCommandsDoNotWaitForEachOther(t *testing.T) {
	text := &strings.Builder{}
	text.WriteString("apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: many}\nspec:\n  title: Many commands\n  horizon: 1m\n  steps:\n")
	for i := range 60 {
		text.WriteString("  - create: 'apiVersion: v1\n\n      kind: ConfigMap\n\n      metadata: {name: c" + strconv.Itoa(i) + "}'\n")
	}
	scenario, err := format.Parse("many.yaml", []byte(text.String()), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	var last time.Duration
	created := 0
	_, err = Run(scenario, RunOptions{Sinks: []trace.Sink{func(r *trace.Record, _ []byte) {
		if r.Request != nil && r.Request.Verb == "create" && r.Actor == verb.User {
			created, last = created+1, r.At
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if created != 60 || last > time.Second {
		t.Errorf("%d requests, the last at %s, want 60 in less than a second", created, last)
	}
}

// keptPod is a step that creates a Pod that does not go away when it is deleted.
const keptPod = "  - create: '{apiVersion: v1, kind: Pod, metadata: {name: p, finalizers: [example.com/keep]}, " +
	"spec: {nodeName: node-1, containers: [{name: c, image: c}]}}'\n"

// TestConcurrentSteps: a concurrent step is taken at its time, while another one waits.
func TestConcurrentSteps(t *testing.T) {
	const head = "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: beside}\nspec:\n  title: Beside\n  horizon: 30s\n  steps:\n"
	for _, test := range []struct{ steps, taken, result string }{
		{
			"  - wait: {for: \"size(pods()) == 9\", timeout: 8s}\n",
			"0s wait", "spec.steps[0]: wait for size(pods()) == 9: timed out after 8s: size(pods()) = 0",
		},
		{
			"  - at: 1s\n    wait: {for: \"configmap('c').data.a == 'b'\"}\n" +
				"  - at: 9s\n    note: The wait is over.\n" +
				"  - {at: 4s, concurrent: true, create: '{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: b}}'}\n",
			"1s wait, 4s create, 9s note", "",
		},
		{
			"  - at: 1s\n    note: One.\n" +
				"  - {at: 4s, concurrent: true, wait: {for: \"size(pods()) == 9\"}}\n",
			"1s note, 4s wait", "spec.steps[1]: at 4s: wait for size(pods()) == 9: still false at the horizon of 30s: size(pods()) = 0",
		},
		{
			"  - at: 1s\n    wait: {for: \"size(pods()) == 9\"}\n" +
				"  - {at: 4s, concurrent: true, expect: {that: \"size(pods()) == 1\"}}\n",
			"1s wait, 4s expect", "spec.steps[1]: expected size(pods()) == 1, but size(pods()) = 0",
		},
		{
			keptPod + "  - {at: 4s, drain: {node: node-1, force: true}}\n  - note: Never.\n",
			"0s create, 4s drain", "spec.steps[1]: at 4s: drain node-1: not done at the horizon of 30s",
		},
		{
			keptPod + "  - {at: 4s, concurrent: true, drain: {node: node-1, force: true}}\n  - {at: 5s, note: Five.}\n",
			"0s create, 4s drain, 5s note", "spec.steps[1]: at 4s: drain node-1: not done at the horizon of 30s",
		},
	} {
		scenario, err := format.Parse("beside.yaml", []byte(head+test.steps), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		var taken []string
		outcome, err := Run(scenario, RunOptions{Sinks: []trace.Sink{func(r *trace.Record, _ []byte) {
			switch {
			case r.Action != nil:
				taken = append(taken, r.At.String()+" "+r.Action.Verb)
			case r.Note != nil:
				taken = append(taken, r.At.String()+" note")
			}
		}}})
		if err != nil {
			t.Fatal(err)
		}
		result := ""
		for _, check := range outcome.Checks {
			if check.Result == Fail {
				result = check.Name + ": " + check.Message
			}
		}
		if got := strings.Join(taken, ", "); got != test.taken || result != test.result {
			t.Errorf("%s\ntaken: %s\nwant:  %s\nresult: %s\nwant:   %s", test.steps, got, test.taken, result, test.result)
		}
	}
}
