package runner_test

import (
	"slices"
	"testing"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestRevisionsCrossPowersOfTen runs scenarios in which many events travel at once while the store's revision goes from
// 99 to 100 and so on, where the order of numbers is not that of their digits. Every informer still gets its events in
// order, and ends with what is stored.
func TestRevisionsCrossPowersOfTen(t *testing.T) {
	for _, name := range []string{"rolling-update", "worked-01", "worked-13", "c16c"} {
		for _, revision := range []uint64{10, 850, 9_900, 99_800} {
			scenario, err := library.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			outcome, err := runner.Run(scenario, runner.RunOptions{Revision: revision})
			if err != nil {
				t.Fatal(err)
			}
			for _, law := range []string{"watch-order", "cache-equals-store"} {
				i := slices.IndexFunc(outcome.Checks, func(c runner.CheckResult) bool { return c.Name == law })
				if i < 0 || outcome.Checks[i].Result != runner.Pass {
					t.Errorf("%s from revision %d: %s does not hold: %+v", name, revision, law, outcome.Checks)
				}
			}
		}
	}
}
