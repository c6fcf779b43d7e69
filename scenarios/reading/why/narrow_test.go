package why

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/contention"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestReadsOnlyWhatMatters compares what is found in the writes of one object, and in those of the objects that are written often, with
// what is found in all requests of a run. The scenarios have overwritten fields, and fields that go back and forth.
func TestReadsOnlyWhatMatters(t *testing.T) {
	overwritten, fights := 0, 0
	for _, name := range narrowed {
		rec := recorded(t, name)
		full, narrow := New(rec), New(rec)
		full.findOverwritten()
		for _, o := range rec.Caches.Store().Objects() {
			got := narrow.overwrittenOf(o)
			if d := cmp.Diff(full.overwritten[o], got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%s: overwritten fields of %s (-all requests +its writes):\n%s", name, trace.ObjectName(o), d)
			}
			overwritten += len(got)
		}
		for part := range int64(8) {
			seq := rec.Len() * (part + 1) / 8
			i := full.At(seq, rec.At(seq)+time.Nanosecond)
			i.findFights()
			if d := cmp.Diff(allFights(i), i.fights, cmp.AllowUnexported(invariant.Hot{})); d != "" {
				t.Errorf("%s: fields that go back and forth at record %d (-all requests +often written):\n%s", name, seq, d)
			}
			fights += len(i.fights)
		}
	}
	t.Logf("%d overwritten fields, %d fields that go back and forth", overwritten, fights)
	if overwritten == 0 || fights == 0 {
		t.Error("that proves little")
	}
}

// allFights looks at all requests.
func allFights(i *Instant) map[trace.Object]*invariant.Hot {
	finder := contention.NewFinder(contention.Actors{
		IsController: i.isController, IsProgram: func(actor string) bool { return !i.isUser(actor) },
		KeyOf: func(request *trace.Record) string { return i.rec.SyncKey(request.Cause) },
	})
	for record := range i.rec.Of(trace.KindRequest) {
		if record.Seq <= i.seq {
			finder.Add(record)
		}
	}
	found := map[trace.Object]*invariant.Hot{}
	for _, f := range finder.Fights(i.at) {
		if found[f.Object] == nil {
			found[f.Object] = invariant.HotOf(&f)
		}
	}
	return found
}

func recorded(t *testing.T, name string) *recording.Recording {
	t.Helper()
	scenario, err := library.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	builder := recording.NewBuilder()
	if _, err := runner.Run(scenario, runner.RunOptions{Sinks: []trace.Sink{builder.Sink}}); err != nil {
		t.Fatal(err)
	}
	return builder.Done(recording.Origin{}, "")
}

// narrowed are scenarios with overwritten fields, with fields that go back and forth, and with none of these.
var narrowed = []string{
	"claim-of-a-pod-that-has-ended", "retry-overwrites-a-user", "surge-on-a-node-under-pressure", "rolling-update", "expectations-expire",
}
