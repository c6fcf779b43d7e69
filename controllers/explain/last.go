package explain

import "github.com/kubestep/kubestep/sim/recording"

// Last is the arithmetic of the last sync of a workload that began at or before record seq; nil if there was none, or
// if the workload is not a Deployment.
func Last(rec *recording.Recording, w *recording.Workload, seq int64) *Explanation {
	if e := At(rec, seq); e != nil && e.Key == w.Key() {
		return e
	}
	syncs := rec.Marks().Syncs
	for start := recording.Latest(syncs, seq); start >= w.Born() && start != 0; start = recording.Previous(syncs, start) {
		if rec.Record(start).Sync.Key != w.Key() {
			continue
		}
		if e := At(rec, start); e != nil {
			return e
		}
	}
	return nil
}
