package branch

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// record plays a scenario.
func record(t *testing.T, s *format.Scenario) *recording.Recording {
	t.Helper()
	builder := recording.NewBuilder()
	_, err := runner.Run(s, runner.RunOptions{Sinks: []trace.Sink{builder.Sink}})
	if err = errors.Join(err, builder.Err()); err != nil {
		t.Fatal(err)
	}
	return builder.Done(recording.Origin{}, "")
}

// TestABranchIsItsParentUntilItsStep branches off at many times, also while the parent waits: nothing differs before.
func TestABranchIsItsParentUntilItsStep(t *testing.T) {
	s, err := library.Load("rolling-update")
	if err != nil {
		t.Fatal(err)
	}
	parent := record(t, s)
	step, err := Parse("scale deployment/web 7")
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Duration{20 * time.Millisecond, time.Second, 4 * time.Second, 7514 * time.Millisecond, 20 * time.Second} {
		branched, err := Add(s, parent, at, step)
		if err != nil {
			t.Fatal(err)
		}
		own := record(t, branched)
		inParent, inBranch := Divergence(parent, own)
		if inBranch == 0 {
			t.Fatalf("at %v: no divergence", at)
		}
		first := own.Record(inBranch)
		if first.At != at || first.Action == nil || first.Action.Verb != "scale" {
			t.Errorf("at %v: the branch parts with %+v", at, trace.Describe(first))
		}
		if inParent > 0 && parent.At(inParent) < at {
			t.Errorf("at %v: the parent parts at %v already", at, parent.At(inParent))
		}
	}
	if a, b := Divergence(parent, parent); a != 0 || b != 0 {
		t.Errorf("a run parts from itself at %d and %d", a, b)
	}
}

// TestAdd holds what a branch leaves out: what its parent asks and expects after the time of the step.
func TestAdd(t *testing.T) {
	s, err := format.Parse("test", []byte(fileOf(strings.Join([]string{
		"- scale: {target: deployment/a, replicas: 1}",
		"- wait: {for: quiet 1s}",
		"- after: 3s\n    scale: {target: deployment/b, replicas: 1}",
		"- expect: {that: \"true\"}",
		"- wait: {for: quiet 2s}",
	}, "\n  "))), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	builder := recording.NewBuilder()
	for i, at := range []time.Duration{0, 0, 5 * time.Second, 5 * time.Second, 5 * time.Second} {
		action := &trace.Action{Step: i}
		if err := builder.Add(&trace.Record{Seq: int64(i) + 1, At: at, Kind: trace.KindAction, Action: action}); err != nil {
			t.Fatal(err)
		}
	}
	parent := builder.Done(recording.Origin{}, "")
	step, err := Parse("delete pod/x")
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Duration]string{
		time.Second: "scale deployment/a --replicas=1; wait for quiet 1s; after 3s: scale deployment/b --replicas=1; " +
			"wait for quiet 2s; at 1s: delete pod/x",
		5 * time.Second: "scale deployment/a --replicas=1; wait for quiet 1s; after 3s: scale deployment/b --replicas=1; " +
			"expect true; wait for quiet 2s; at 5s: delete pod/x",
	} {
		branched, err := Add(s, parent, at, step)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, st := range branched.Spec.Steps {
			have = append(have, st.Describe())
		}
		if got := strings.Join(have, "; "); got != want {
			t.Errorf("at %v:\n%s\nwant:\n%s", at, got, want)
		}
	}
}

// TestParse reads commands, and says what is wrong with them.
func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		"scale deployment/web 5":                     "scale deployment/web --replicas=5",
		"set-image deployment/web web:v3":            "set-image deployment/web *=web:v3",
		"set-image deployment/web c=web:v3":          "set-image deployment/web c=web:v3",
		"delete pod/web-1":                           "delete pod/web-1",
		"rollout undo deployment/web":                "rollout undo deployment/web",
		"node fail node-1":                           "node fail node-1",
		"node partition node-1":                      "node partition node-1",
		"controller crash controller":                "controller crash controller",
		"controller pause kube-controller-manager":   "controller pause kube-controller-manager",
		"hold watch pods 10s":                        "fault watch pods: hold, for 10s",
		"disconnect replicasets":                     "fault watch replicasets: 410 Expired",
		"step {label: {target: pod/a, set: {x: y}}}": "label pod/a x=y",
		"evict pod/web-1":                            "evict pod/web-1",
		"fail update deployments Conflict":           "fault update deployments: 409 Conflict, x1",
		"hold create pods 10s":                       "fault create pods: hold, for 10s",
	} {
		step, err := Parse(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := step.Describe(); got != want {
			t.Errorf("%s is %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"":                           `unknown command ""`,
		"scale":                      "scale needs KIND/NAME N",
		"scale deployment/web many":  `"many" is not a number of replicas`,
		"scale deplyment/web 3":      "deplyment",
		"node explode node-1":        "node explode: write node fail|shutdown|partition|recover NAME",
		"controller explode x":       "controller explode: write controller crash|restart|pause|resume NAME",
		"hold create pods long":      "is not a duration",
		"fail update pods Sometimes": "Sometimes",
		"step {scale: 3}":            "scale",
		"step":                       "step needs a step",
	} {
		if _, err := Parse(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", line, err, want)
		}
	}
}

// TestVariations varies numbers of a scenario from its start, and says what it cannot vary.
func TestVariations(t *testing.T) {
	s, err := library.Load("rolling-update")
	if err != nil {
		t.Fatal(err)
	}
	web := trace.Object{Resource: "deployments.apps", Namespace: "default", Name: "web"}
	for line, want := range map[string]string{
		"max-surge 0":         "maxSurge: 0",
		"max-surge 50%":       "maxSurge: 50%",
		"max-unavailable 1":   "maxUnavailable: 1",
		"replicas 4":          "replicas: 4",
		"ready 10s":           "ready: 10s",
		"ready 2s..8s":        "ready: 2s..8s",
		"max-surge":           "max-surge needs N",
		"max-surge many":      `"many" is not a number or a percentage: try 3 or 25%`,
		"replicas 25%":        `"25%" is not a number of replicas`,
		"ready soon":          `invalid duration "soon"`,
		"scale deployment/db": "not a variation",
	} {
		got := "not a variation"
		v, ok, err := ParseVariation(line)
		if ok && err == nil {
			var varied *format.Scenario
			if varied, err = v.Of(s, web); err == nil {
				text, err := varied.Encode()
				if err != nil {
					t.Fatal(err)
				}
				got = string(text)
				if strings.Contains(got, "question:") {
					t.Errorf("%s: asks the questions of the scenario:\n%s", line, got)
				}
			}
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s:\n%s\nwant: %s", line, got, want)
		}
	}
	v, _, err := ParseVariation("replicas 4")
	if err != nil {
		t.Fatal(err)
	}
	web.Name = "db"
	if _, err := v.Of(s, web); err == nil || !strings.Contains(err.Error(), "no step creates deployment/db") {
		t.Errorf("varies a Deployment that is not there: %v", err)
	}
}

// TestAVariedRun holds that the number has an effect: without surge there are never more Pods than replicas.
func TestAVariedRun(t *testing.T) {
	s, err := library.Load("rolling-update")
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := ParseVariation("max-surge 0")
	if err != nil {
		t.Fatal(err)
	}
	varied, err := v.Of(s, trace.Object{Resource: "deployments.apps", Namespace: "default", Name: "web"})
	if err != nil {
		t.Fatal(err)
	}
	pods, most := 0, 0
	for r := range record(t, varied).All() {
		if r.Request == nil || r.Request.Resource != "pods" || r.Request.Subresource != "" {
			continue
		}
		for _, w := range r.Request.Writes {
			switch {
			case w.Op == trace.OpCreate:
				pods++
			case w.Op == trace.OpUpdate && r.Request.Verb == "delete":
				pods--
			}
		}
		most = max(most, pods)
	}
	if most != 10 {
		t.Errorf("with maxSurge 0 there are up to %d Pods of 10", most)
	}
}
