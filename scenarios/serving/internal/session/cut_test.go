package session_test

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/network/live"
)

// TestACutSession reads and runs what is left of the file of a session when a disk is full or a download breaks off: after each
// line, and in the middle of each. It has a position and says what to do, or it can be run.
func TestACutSession(t *testing.T) {
	r := start(t, live.Pace{})
	client, ctx := r.client(token), t.Context()
	if _, err := client.AppsV1().Deployments("default").Create(ctx, deployment(), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err := client.CoreV1().ConfigMaps("default").Patch(ctx, "before", types.ApplyPatchType,
		[]byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"before"},"data":{"color":"blue"}}`), metav1.PatchOptions{FieldManager: "ci"})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.CoreV1().ConfigMaps("default").Delete(ctx, "before", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	text, _ := r.end(t)
	refused, ran := 0, 0
	for at := 0; at < len(text); at++ {
		if middle := at%17 == 8; text[at] != '\n' && !middle {
			continue
		}
		err := try(text[:at])
		var wrong *source.Error
		switch {
		case err == nil:
			ran++
		case !errors.As(err, &wrong):
			t.Errorf("cut at byte %d: %T: %v", at, err, err)
		case wrong.Line == 0 && at > 0 || wrong.Try == "":
			t.Errorf("cut at byte %d: no position or no Try: %v (try %q)\n...%s", at, err, wrong.Try, text[max(0, at-200):at])
		default:
			refused++
		}
	}
	if refused < 10 || ran == 0 {
		t.Errorf("of the cut files, %d are refused and %d run", refused, ran)
	}
}

// try reads and runs a file. What the API server refuses in a run is no error of the file.
func try(text []byte) error {
	scenario, err := format.Parse("session.yaml", text, verb.All, runner.Expressions)
	if err != nil {
		return err
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		return err
	}
	_, err = plan.Run(runner.RunOptions{})
	return err
}
