package upgrade_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/explore/builds/upgrade"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestLater continues scenarios from a time on: a step that has happened does not happen again, whatever its verb is, and the
// one that waits at that time still waits.
func TestLater(t *testing.T) {
	for _, c := range []struct {
		name string
		at   time.Duration
		want string
	}{
		{"surge-or-unavailable", 3 * time.Minute, "wait for quiet 5s"},
		{"daemonset", 1500 * time.Millisecond, "wait for rollout daemonset/agent; after 2s: set-image daemonset/agent *=agent:v2; " +
			"wait for rollout daemonset/agent; wait for quiet 3s"},
	} {
		s, err := library.Load(c.name)
		if err != nil {
			t.Fatal(err)
		}
		later, err := upgrade.Later(s, runner.RunOptions{}, c.at, time.Minute)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var steps []string
		for _, step := range later.Spec.Steps {
			steps = append(steps, step.Describe())
		}
		if have := strings.Join(steps, "; "); have != c.want {
			t.Errorf("%s from %v on has the steps\n%s\nwant\n%s", c.name, c.at, have, c.want)
		}
		outcome, err := runner.Run(later, runner.RunOptions{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if outcome.Error != "" {
			t.Errorf("%s from %v on: %s", c.name, c.at, outcome.Error)
		}
	}
}

// TestLaterWithSystemObjects continues a cluster in which the API server has made objects for itself: it makes those again that a scenario
// cannot have.
func TestLaterWithSystemObjects(t *testing.T) {
	s, err := format.Parse("world.yaml", []byte(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: world}
spec: {title: A cluster, cluster: {systemObjects: true}, kubernetes: {controllers: ['*']}, horizon: 10s, steps: []}
`), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	later, err := upgrade.Later(s, runner.RunOptions{}, 5*time.Second, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := runner.Run(later, runner.RunOptions{})
	if err != nil || outcome.Error != "" {
		t.Fatalf("%v, %+v", err, outcome)
	}
	services := outcome.State.List(schema.GroupResource{Group: "apiregistration.k8s.io", Resource: "apiservices"}, "")
	if len(services) == 0 {
		t.Error("the cluster has no APIServices later")
	}
}
