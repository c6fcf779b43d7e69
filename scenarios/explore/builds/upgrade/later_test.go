package upgrade_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/builds/upgrade"
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
