package recording

import "time"

// Outcome is what came of a workload in the whole run.
type Outcome struct {
	// Ends is when its last Pod changed.
	Ends time.Duration
	// Least is how many Pods were available at least once all were, and Full that there was such a time. Most is how many Pods there
	// were at most, without those that terminate.
	Least, Most int
	Full        bool
}

// Outcome sums up the run for a workload with so many replicas; ok is false if it never had a Pod.
func (w *Workload) Outcome(replicas int) (o Outcome, ok bool) {
	if len(w.Series) == 0 {
		return o, false
	}
	o.Ends = w.Series[len(w.Series)-1].At
	for _, point := range w.Series {
		if !o.Full && point.Available >= replicas {
			o.Full, o.Least = true, point.Available
		}
		o.Least, o.Most = min(o.Least, point.Available), max(o.Most, point.Total)
	}
	return o, true
}
