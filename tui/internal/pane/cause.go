package pane

import "github.com/kubestep/kubestep/sim/trace"

// Cause is the record that caused the one at the cursor, 0 for none, and what there is to say of it: that of a check that fails is the
// last write of what the check read.
func (m Moment) Cause() (seq int64, status string) {
	record := m.Rec.Record(m.Seq)
	if record == nil || record.Cause == 0 {
		return 0, ""
	}
	write := m.Rec.Record(record.Cause)
	if record.Check == nil || record.Check.Passed || write == nil || write.Request == nil || len(write.Request.Writes) == 0 {
		return record.Cause, ""
	}
	return record.Cause, "the last write of what the check read, " + trace.ObjectName(write.Request.Object)
}
