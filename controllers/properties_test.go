package controllers

import (
	"testing"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestEveryControllerHasItsRow: whoever adds a controller decides what the rest of the program has to know of it.
func TestEveryControllerHasItsRow(t *testing.T) {
	known := map[string]bool{trace.SchedulerActor: true}
	for _, d := range Descriptors() {
		known[d.Name] = true
		if _, ok := properties[d.Name]; !ok && !d.Cloud {
			t.Errorf("%s has no row in the table of properties", d.Name)
		}
	}
	for name, of := range properties {
		if !known[name] && (of.Reacts || of.Period > 0 || of.Explained || of.open != nil) {
			t.Errorf("no controller is named %s", name)
		}
		if of.Keys != "" && !of.Explained {
			t.Errorf("%s has keys of %s, and no explanation", name, of.Keys)
		}
	}
	for _, name := range Workload {
		if _, ok := properties[name]; !ok {
			t.Errorf("no controller is named %s", name)
		}
	}
}
