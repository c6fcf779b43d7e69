package sim_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// TestTheFirstSimulationOfAProcess: what a process does only once, such as to look for a source of random numbers, is done before the first
// simulation, whose goroutines would draw other numbers otherwise than those of all later ones.
func TestTheFirstSimulationOfAProcess(t *testing.T) {
	if !exact.Enabled() {
		t.Skip("in the stock build, a select takes a random case")
	}
	if out, err := exec.Command(os.Args[0], "-test.run=^TestSimulationsOfAProcess$").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSimulationsOfAProcess is to run in a process without other tests, too.
func TestSimulationsOfAProcess(t *testing.T) {
	if !exact.Enabled() {
		t.Skip("in the stock build, a select takes a random case")
	}
	if first, second := cases(t), cases(t); first != second {
		t.Errorf("the goroutine of the first simulation takes the cases %s, that of the second one %s", first, second)
	}
}

// cases are those that a select takes of two that are ready, after a simulation is made.
func cases(t *testing.T) (taken string) {
	t.Helper()
	err := engine.Bubble(start, func() {
		world, err := sim.New(sim.Options{Seed: 1})
		if err != nil {
			t.Error(err)
			return
		}
		defer world.End()
		ready := make(chan bool)
		close(ready)
		for range 64 {
			select {
			case <-ready:
				taken += "1"
			case <-ready:
				taken += "2"
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	return taken
}
