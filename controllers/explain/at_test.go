package explain

import (
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestTheTableSaysWhatIsExplained: the column of controllers.Properties and the functions of this package agree.
func TestTheTableSaysWhatIsExplained(t *testing.T) {
	names := []string{trace.SchedulerActor}
	for _, d := range controllers.Descriptors() {
		names = append(names, d.Name)
	}
	found := 0
	for _, name := range names {
		has := explained[name] != nil || unqueued[name] != nil
		if of := controllers.Of(name); of.Explained != has {
			t.Errorf("%s: its row says %t, and there is a function: %t", name, of.Explained, has)
		} else if has {
			found++
		}
		if of := controllers.Of(name); of.Keys != "" && (explained[name] == nil || ControllerOf(of.Keys) != name) {
			t.Errorf("%s: no function explains syncs of keys of %s", name, of.Keys)
		}
	}
	if found == 0 {
		t.Error("nothing is explained")
	}
}
