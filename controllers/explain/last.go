package explain

import (
	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Last is the arithmetic of the last sync of a workload that began at or before record seq; nil if there was none, or
// if its controller is not explained. explained is At, or remembers what At said.
func Last(
	rec *recording.Recording, w *recording.Workload, seq int64, explained func(seq int64) *arithmetic.Explanation,
) *arithmetic.Explanation {
	if e := explained(seq); e != nil && isAbout(e, w) {
		return e
	}
	syncs := rec.Marks().Syncs
	for start := recording.Latest(syncs, seq); start >= w.Born() && start != 0; start = recording.Previous(syncs, start) {
		if rec.SyncKey(start) != w.Key() {
			continue
		}
		if name, _ := trace.SplitActor(rec.Actor(start)); controllers.Of(name).Keys != w.Object.Resource {
			continue
		}
		if e := explained(start); e != nil {
			return e
		}
	}
	return nil
}

// isAbout reports whether an explanation is of a sync of a workload.
func isAbout(e *arithmetic.Explanation, w *recording.Workload) bool {
	return e.Key == w.Key() && controllers.Of(e.Controller).Keys == w.Object.Resource
}
