package runner

import (
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestARestartKeepsTheAuthority: the certificate authority is in files of the machine, so a kube-controller-manager that starts again
// publishes the certificates that are there already.
func TestARestartKeepsTheAuthority(t *testing.T) {
	scenario, err := format.Parse("restart.yaml", []byte(`
apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: restart}
spec:
  title: kube-controller-manager starts again
  horizon: 1m
  kubernetes: {controllers: ["*"]}
  steps: [{at: 10s, controller: {crash: kube-controller-manager, restartAfter: 5s}}]
`), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	started := false
	if _, err := Run(scenario, RunOptions{Sinks: []trace.Sink{func(record *trace.Record, _ []byte) {
		switch {
		case record.At < 15*time.Second || record.Request == nil:
		case record.Request.Verb == "list":
			started = true
		default:
			for _, w := range record.Request.Writes {
				if w.Resource == "configmaps" || w.Resource == "clustertrustbundles.certificates.k8s.io" {
					t.Errorf("%s at %s: %s %s", record.Actor, record.At, w.Op, trace.ObjectName(w.Object))
				}
			}
		}
	}}}); err != nil {
		t.Fatal(err)
	}
	if !started {
		t.Error("it does not start again")
	}
}
