package explain_test

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers/explain/internal/agreement"
	"github.com/kubestep/kubestep/scenarios/library"
)

// TestWrongActionsDisagree falsifies what explanations are made from: the comparison must notice.
func TestWrongActionsDisagree(t *testing.T) {
	for _, c := range []struct{ scenario, truth, lie string }{
		{"controllers/replicaset", `"replicas":3,"selector"`, `"replicas":4,"selector"`},
		{"controllers/statefulset", `"podManagementPolicy":"OrderedReady"`, `"podManagementPolicy":"Parallel"`},
		{"controllers/daemonset", `"maxUnavailable":1`, `"maxUnavailable":2`},
		{"controllers/job", `"parallelism":2`, `"parallelism":1`},
		{"controllers/garbage-collector", `"blockOwnerDeletion":true`, `"blockOwnerDeletion":false`},
		{"controllers/persistent-volume-binder", `"storage":"10Gi"`, `"storage":"100Gi"`},
		{"controllers/node-lifecycle", `"path":"status.conditions[type=Ready].status","old":"True","new":"Unknown"`,
			`"path":"status.conditions[type=Ready].status","old":"True","new":"False"`},
		{"controllers/cronjob", `"schedule":"* * * * *"`, `"schedule":"0 * * * *"`},
		{"controllers/endpointslice", `"path":"status.podIPs"`, `"path":"status.hostIPs"`},
		{"controllers/endpointslice", `"path":"status.conditions[type=Ready].status"`, `"path":"status.conditions[type=Ready].reason"`},
		{"controllers/disruption", `"minAvailable":2`, `"minAvailable":1`},
		{"controllers/horizontal-pod-autoscaler", `"usage":{"cpu":"375m"}`, `"usage":{"cpu":"300m"}`},
		{"controllers/horizontal-pod-autoscaler", `"averageUtilization":60`, `"averageUtilization":59`},
	} {
		scenario, err := library.Load(c.scenario + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		p := play(t, scenario, 1, func(line string) string { return strings.ReplaceAll(line, c.truth, c.lie) })
		p.CompareActions(agreement.NewActions(), func(string, ...any) { wrong++ })
		if wrong == 0 {
			t.Errorf("%s: nothing is wrong with %s instead of %s", c.scenario, c.lie, c.truth)
		}
	}
}

// TestWrongDueTimesDisagree falsifies what they are computed from: the comparison must notice.
func TestWrongDueTimesDisagree(t *testing.T) {
	const unknown = `"path":"status.conditions[type=Ready].status","old":"True","new":`
	for _, c := range []struct{ scenario, truth, lie string }{
		{"two-of-five-nodes-fail", `"tolerationSeconds":300`, `"tolerationSeconds":299`},
		{"two-of-five-nodes-fail", unknown + `"Unknown"`, unknown + `"True"`},
	} {
		scenario, err := library.Load(c.scenario)
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		p := play(t, scenario, 1, func(line string) string { return strings.ReplaceAll(line, c.truth, c.lie) })
		p.CompareDue(agreement.NewDue(), func(string, ...any) { wrong++ })
		if wrong == 0 {
			t.Errorf("%s: nothing is wrong with %s instead of %s", c.scenario, c.lie, c.truth)
		}
	}
}
