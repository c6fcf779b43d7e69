package recording

import "github.com/kubestep/kubestep/controllers/explain"

// Explanation is the arithmetic of the Deployment controller's sync that record seq belongs to; nil if it
// belongs to none.
func (r *Recording) Explanation(seq int64) *explain.Explanation {
	start := r.SyncOf(seq)
	if known, ok := r.explained[start]; ok {
		return known
	}
	var found *explain.Explanation
	if e, ok := r.history.Explain(start); ok {
		found = &e
	}
	r.explained[start] = found
	return found
}

// LastExplanation is the arithmetic of the last sync of a Deployment that began at or before record seq; nil if
// there was none.
func (r *Recording) LastExplanation(w *Workload, seq int64) *explain.Explanation {
	if e := r.Explanation(seq); e != nil && e.Key == w.key() {
		return e
	}
	for start := Latest(r.marks.Syncs, seq); start != 0; start = Previous(r.marks.Syncs, start) {
		if start < w.life.born {
			return nil
		}
		if r.Record(start).Sync.Key != w.key() {
			continue
		}
		if e := r.Explanation(start); e != nil {
			return e
		}
	}
	return nil
}

// key is the workload's name in its controller's work queue.
func (w *Workload) key() string { return w.Object.Namespace + "/" + w.Object.Name }
