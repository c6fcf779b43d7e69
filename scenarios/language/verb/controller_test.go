package verb_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestControllerOfATrace: what a step says of itself in the trace is read by the same words.
func TestControllerOfATrace(t *testing.T) {
	for _, step := range []*verb.Controller{{Crash: "kube-scheduler"}, {Restart: "mine"}, {Pause: "a-2"}, {Resume: "a-2"}} {
		action := &trace.Action{Verb: step.Keyword(), Text: step.String()}
		if diff := cmp.Diff(step, verb.ControllerOf(action)); diff != "" {
			t.Errorf("%s: %s", action.Text, diff)
		}
	}
	for _, action := range []*trace.Action{
		{Verb: "scale", Text: "crash kube-scheduler"}, {Verb: "controller", Text: "crash"}, {Verb: "controller", Text: "crash the kube-scheduler"},
		{Verb: "controller", Text: "crashed kube-scheduler"},
	} {
		if got := verb.ControllerOf(action); got != nil {
			t.Errorf("%s %s: %+v", action.Verb, action.Text, got)
		}
	}
}
