package explain_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/agreement"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
)

// TestExplanationsAgreeWithRandomRollouts does the same with rollouts that nobody would write: users who
// scale, pause, roll back and change the image in any order, some images that never start.
func TestExplanationsAgreeWithRandomRollouts(t *testing.T) {
	runs := uint64(30)
	if testing.Short() {
		runs = 10
	}
	var all agreement.Tally
	branches := map[string]int{}
	for n := range runs {
		text := randomScenario(rand.New(rand.NewPCG(n, 36)))
		scenario, err := format.Parse("random.yaml", []byte(text), verb.All)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		p := play(t, scenario, int64(n), nil)
		all.Add(p.CompareRollouts(t, func(format string, args ...any) {
			t.Errorf("random %d: "+format, append([]any{n}, args...)...)
		}))
		for branch, n := range p.Branches {
			branches[branch] += n
		}
		if t.Failed() {
			t.Fatalf("the scenario is\n%s", text)
		}
	}
	t.Log(all)
	for _, branch := range []string{
		arithmetic.BranchPaused, arithmetic.BranchScaling, arithmetic.BranchRolling, arithmetic.BranchRecreate, arithmetic.BranchDeleted,
		arithmetic.BranchRollback, arithmetic.BranchGone, "adopt", "cleanupDeployment", "ProgressDeadlineExceeded", "scale",
	} {
		if branches[branch] == 0 && !testing.Short() {
			t.Errorf("no sync took the branch %q", branch)
		}
	}
}

// TestWrongExplanationsDisagree falsifies what explanations are made from: the comparison must notice.
func TestWrongExplanationsDisagree(t *testing.T) {
	for _, lie := range [][2]string{
		{`"maxSurge":"25%"`, `"maxSurge":"50%"`},
		{`"path":"status.availableReplicas","old":`, `"path":"status.fullyLabeledReplicas","old":`},
		{`"deployment.kubernetes.io/desired-replicas":"10"`, `"deployment.kubernetes.io/desired-replicas":"9"`},
		{`"progressDeadlineSeconds":600`, `"progressDeadlineSeconds":1`},
	} {
		scenario, err := library.Load("rolling-update")
		if err != nil {
			t.Fatal(err)
		}
		n := play(t, scenario, 1, func(line string) string { return strings.ReplaceAll(line, lie[0], lie[1]) }).
			CompareRollouts(t, func(string, ...any) {})
		if n.Wrong == 0 {
			t.Errorf("with %s instead of %s: %s", lie[1], lie[0], n)
		}
	}
}

// randomScenario is a Deployment and twelve things that happen to it.
func randomScenario(r *rand.Rand) string {
	limits := []string{"0", "1", "2", "3", "7", `"10%"`, `"25%"`, `"50%"`, `"100%"`}
	surge, unavailable := limits[r.IntN(len(limits))], limits[r.IntN(len(limits))]
	if surge == "0" && unavailable == "0" {
		surge = "1"
	}
	rolling := fmt.Sprintf("{type: RollingUpdate, rollingUpdate: {maxSurge: %s, maxUnavailable: %s}}", surge, unavailable)
	const recreating = "{type: Recreate, rollingUpdate: null}"
	strategy := rolling
	if r.IntN(4) == 0 {
		strategy = recreating
	}
	latency := []string{"{request: 0s, watch: 1us..1us}", "{request: 1ms..5ms, watch: 1ms..10ms}", "{request: 1ms..50ms, watch: 1ms..900ms}"}[r.IntN(3)]
	var text strings.Builder
	fmt.Fprintf(&text, `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: random}
spec:
  title: Random
  horizon: 10m
  kubernetes:
    clientQPS: 0
    controllers: [deployment-controller, replicaset-controller, garbage-collector-controller]
  cluster:
    nodes: [{count: 2}]
    pods: [{match: {image: "*:v3"}, ready: never, terminate: 1s}, {ready: 1s..4s, terminate: %s}]
    latency: %s
    heartbeat: 0s
  steps:
`, []string{"0s", "1s..3s"}[r.IntN(2)], latency)
	create := fmt.Sprintf(`create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, annotations: {team: a}}
      spec:
        replicas: %d
        minReadySeconds: %d
        progressDeadlineSeconds: %d
        revisionHistoryLimit: %d
        strategy: %s
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {terminationGracePeriodSeconds: 5, containers: [{name: c, image: "web:v1"}]}
`, r.IntN(12), r.IntN(2)*2, 3+r.IntN(20), r.IntN(4), strategy)
	text.WriteString("  - " + create)
	actions := []func() string{
		func() string {
			return fmt.Sprintf(`set-image: {target: deployment/web, image: "web:v%d"}`, 1+r.IntN(4))
		},
		func() string {
			return fmt.Sprintf(`set-image: {target: deployment/web, image: "web:v%d"}`, 1+r.IntN(4))
		},
		func() string { return fmt.Sprintf("scale: {target: deployment/web, replicas: %d}", r.IntN(16)) },
		func() string { return fmt.Sprintf("scale: {target: deployment/web, replicas: %d}", r.IntN(16)) },
		func() string { return "patch: {target: deployment/web, patch: {spec: {paused: true}}}" },
		func() string { return "patch: {target: deployment/web, patch: {spec: {paused: false}}}" },
		func() string { return "patch: {target: deployment/web, patch: {spec: {paused: false}}}" },
		func() string { return "delete: {target: pod, selector: app=web}" },
		func() string { return fmt.Sprintf("annotate: {target: deployment/web, set: {team: t%d}}", r.IntN(9)) },
		func() string {
			return fmt.Sprintf("patch: {target: deployment/web, patch: {spec: {minReadySeconds: %d}}}", r.IntN(3))
		},
		func() string {
			return fmt.Sprintf("patch: {target: deployment/web, patch: {spec: {strategy: %s}}}", rolling)
		},
		func() string {
			return fmt.Sprintf("patch: {target: deployment/web, patch: {spec: {strategy: %s}}}", recreating)
		},
	}
	actions = append(actions, func() string {
		return fmt.Sprintf(`annotate: {target: deployment/web, set: {deprecated.deployment.rollback.to: "%d"}}`, r.IntN(4))
	}, func() string {
		return "delete: {target: deployment/web, cascade: orphan}\n  - after: 20s\n    " + create
	})
	for range 12 {
		after := []string{"10ms", "500ms", "2s", "6s", "15s"}[r.IntN(5)]
		fmt.Fprintf(&text, "  - after: %s\n    %s\n", after, actions[r.IntN(len(actions))]())
	}
	if r.IntN(3) == 0 {
		text.WriteString("  - after: 20s\n    delete: {target: deployment/web, cascade: foreground}\n")
	}
	return text.String()
}
