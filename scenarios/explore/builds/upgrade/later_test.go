package upgrade_test

import (
	"fmt"
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

// TestLaterWithFutures continues a scenario with futures: those that have begun are over, and give the rest another seed, and those that
// have not begin as much earlier as the scenario begins later.
func TestLaterWithFutures(t *testing.T) {
	plain := later(t, "", 20*time.Second)
	for _, c := range []struct{ futures, want string }{
		{"[{from: 16s, seed: 42}]", ""},
		{"[{from: 30s, seed: 42}]", "from 10s: 42"},
		{"[{from: 16s, seed: 42}, {from: 30s, seed: 42}, {from: 5m, seed: 43}]", "from 10s: 42"},
		{"[{when: \"false\", seed: 42}]", "when false: 42"},
		{"[{record: 1, seed: 42}]", ""},
		{"[{record: 1000000, seed: 42}]", "wrong"},
	} {
		got := later(t, c.futures, 20*time.Second)
		if got.futures != c.want {
			t.Errorf("%s: the rest has %q, want %q", c.futures, got.futures, c.want)
		}
		begun := strings.Contains(c.futures, "16s") || strings.Contains(c.futures, "record: 1,")
		if c.want != "wrong" && (got.seed != plain.seed) != begun {
			t.Errorf("%s: the seed of the rest is %d, without futures %d", c.futures, got.seed, plain.seed)
		}
	}
}

type rest struct {
	futures string
	seed    int64
}

// later is the rest of a scenario with futures.
func later(t *testing.T, futures string, at time.Duration) (r rest) {
	t.Helper()
	if futures == "" {
		futures = "[]"
	}
	s, err := format.Parse("futures.yaml", []byte(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: futures}
spec: {title: A cluster, futures: `+futures+`, horizon: 10m, steps: []}
`), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	next, err := upgrade.Later(s, runner.RunOptions{}, at, time.Minute)
	if err != nil {
		return rest{futures: "wrong"}
	}
	var texts []string
	for _, f := range next.Spec.Futures {
		if f.From != nil {
			texts = append(texts, fmt.Sprintf("from %s: %d", f.From, f.Seed))
		} else {
			texts = append(texts, fmt.Sprintf("when %s: %d", f.When, f.Seed))
		}
	}
	return rest{strings.Join(texts, "; "), next.Spec.Seed}
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
