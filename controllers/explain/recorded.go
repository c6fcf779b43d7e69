package explain

import (
	gosync "sync"

	"github.com/kubestep/kubestep/sim/recording"
)

// At is the arithmetic of the Deployment controller's sync that record seq of a recording belongs to; nil if it
// belongs to none.
func At(rec *recording.Recording, seq int64) *Explanation {
	start := rec.SyncOf(seq)
	if start == 0 {
		return nil
	}
	if e, ok := historyOf(rec).Explain(start); ok {
		return &e
	}
	return nil
}

// Last is the arithmetic of the last sync of a workload that began at or before record seq; nil if there was
// none, or if the workload is no Deployment.
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

// latest is the recording that was explained last, with its history.
var latest struct {
	gosync.Mutex
	rec     *recording.Recording
	history *History
}

func historyOf(rec *recording.Recording) *History {
	latest.Lock()
	defer latest.Unlock()
	if latest.rec != rec {
		history := NewHistoryOf(rec.Replay)
		for _, record := range rec.Records {
			// Only a replay that the history feeds itself could fail.
			_ = history.Add(record)
		}
		latest.rec, latest.history = rec, history
	}
	return latest.history
}
