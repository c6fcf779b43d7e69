package session_test

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/network/live"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

const everything = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: everything}
spec:
  title: All controllers and the scheduler
  kubernetes: {controllers: ['*']}
  cluster: {nodes: [{count: 3}], managedFields: true}
  steps: []
`

// TestAllControllersReplayInTheProcess runs the scenario of a session with all controllers where the session has run before,
// and then another session and its scenario: what upstream does once in a process must not show in a trace.
func TestAllControllersReplayInTheProcess(t *testing.T) {
	if !exact.Enabled() {
		t.Skip("the order of several controllers is open in the stock build")
	}
	for _, speed := range []float64{20, 1} {
		r := startOf(t, everything, live.Pace{Speed: speed})
		client := r.client(token)
		before := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "before"}}
		if _, err := client.CoreV1().ConfigMaps("default").Create(context.Background(), before, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		use(t, client)
		text, hash := r.end(t)
		for range 2 {
			plan, _ := prepared(t, text)
			again, err := plan.Run(runner.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if again.TraceHash != hash {
				t.Errorf("at speed %v, the session has the trace hash %s, and its scenario %s:\n%s", speed, hash, again.TraceHash, text)
			}
		}
	}
}
