package invariant_test

import (
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestHealthyRolloutsHold ends rolling updates at many instants: shortly after the last write, and in the middle. A
// maxSurge of 1 makes status.replicas alternate between 10 and 11, which is no failure to converge.
func TestHealthyRolloutsHold(t *testing.T) {
	hold(t, "deployment.yaml", "statefulset.yaml")
}

// TestAnOutageIsNoFailureToConverge ends a run while requests of the controller fail: it tries again and again, as it should.
func TestAnOutageIsNoFailureToConverge(t *testing.T) { hold(t, "outage.yaml") }

// hold runs files until several instants, at each of which all checks must hold.
func hold(t *testing.T, files ...string) {
	t.Helper()
	for _, file := range files {
		for _, horizon := range []time.Duration{50 * time.Second, time.Minute, 80 * time.Second} {
			scenario, err := format.Load("testdata/healthy/"+file, verb.All)
			if err != nil {
				t.Fatal(err)
			}
			scenario.Spec.Horizon.Duration = horizon
			outcome, err := runner.Run(scenario, runner.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, check := range outcome.Checks {
				if check.Result != runner.Pass {
					t.Errorf("%s until %s: %s: %s", file, horizon, check.Name, check.Message)
				}
			}
		}
	}
}
