package why_test

import (
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestShippedScenarios asks about every object of scenarios that come with kubestep, at several instants. At the end of a run
// without a violation of not-stuck, no object is stuck, and the run itself lists the objects that wait.
func TestShippedScenarios(t *testing.T) {
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	asked, stuck := 0, 0
	for n, file := range files {
		if n%every != 0 {
			continue
		}
		scenario, err := library.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		builder := recording.NewBuilder()
		outcome, err := runner.Run(scenario, runner.RunOptions{Sinks: []trace.Sink{builder.Sink}})
		if err != nil {
			t.Fatal(err)
		}
		rec := builder.Done(recording.Origin{}, "")
		history := why.New(rec)
		for _, part := range []int64{4, 2, 1} {
			seq := rec.Len() / part
			i := history.At(seq, rec.At(seq))
			for _, o := range rec.ObjectsAt(seq) {
				if len(i.Ask(o)) == 0 {
					t.Errorf("%s: no answer about %v at record %d", file, o, seq)
				}
				i.Now(o)
				asked++
			}
		}
		for _, u := range outcome.Unmet {
			found := false
			for _, a := range history.At(rec.Len(), rec.At(rec.Len())+time.Nanosecond).Unmet("") {
				found = found || trace.ObjectName(a.Object) == u.Object
			}
			if !found {
				t.Errorf("%s: the run says that %s is not in its desired state, but why does not", file, u.Object)
			}
			if u.Stuck {
				stuck++
			}
		}
	}
	t.Logf("%d objects were asked about; %d of them are stuck at the end of a run", asked, stuck)
	if asked < 1000 {
		t.Error("that proves little")
	}
}

// every is which part of the scenarios is played: others are played by other tests.
const every = 5
