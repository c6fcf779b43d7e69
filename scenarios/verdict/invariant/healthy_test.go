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

// TestTheStatusOfAnInterruptedSyncIsOfItsKey ends a rolling update shortly after a crash. The status that a sync has sent before the crash
// arrives after it, and is one more of the same key: a field that goes up and down with the Pods is no contention.
func TestTheStatusOfAnInterruptedSyncIsOfItsKey(t *testing.T) {
	holdUntil(t, "crash.yaml", 20500*time.Millisecond, 22*time.Second, 25*time.Second)
}

// TestADelayedRefusalIsOneOfTheQuota ends a run in which a quota refuses a Pod, and a fault delays each request for one: the fault does not
// refuse it, so the controller tries again as long as the quota stays.
func TestADelayedRefusalIsOneOfTheQuota(t *testing.T) {
	holdUntil(t, "quota-and-delay.yaml", time.Minute, 3*time.Minute, 20*time.Minute)
}

// hold runs files until several instants, at each of which all checks must hold.
func hold(t *testing.T, files ...string) {
	t.Helper()
	for _, file := range files {
		holdUntil(t, file, 50*time.Second, time.Minute, 80*time.Second)
	}
}

func holdUntil(t *testing.T, file string, horizons ...time.Duration) {
	t.Helper()
	for _, horizon := range horizons {
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
