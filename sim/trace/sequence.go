package trace

import (
	"fmt"
	"time"
)

// Sequence checks that records can follow each other, and that the records that one names are earlier ones of the kind that it
// takes them for. What has passed it may be followed from record to record without asking again. The zero value is the
// sequence before the first record; it takes a byte for each record.
type Sequence struct {
	at    time.Duration
	roles []role
}

// role is what a record can be for a later one that names it.
type role byte

const (
	roleNone role = iota
	roleFault
	roleWebhook
	roleSyncStart
)

func roleOf(r *Record) role {
	switch {
	case r.Fault != nil:
		return roleFault
	case r.Webhook != nil:
		return roleWebhook
	case r.Sync != nil && r.Sync.Phase == PhaseStart:
		return roleSyncStart
	}
	return roleNone
}

// Len is the number of records.
func (s *Sequence) Len() int64 { return int64(len(s.roles)) }

// Add adds the next record. It returns an error, and does not add the record, for a missing number, time that runs backwards,
// a cause after its effect, and a reference to a record that is not what it should be.
func (s *Sequence) Add(r *Record) error {
	last := s.Len()
	switch {
	case r.Seq != last+1:
		return fmt.Errorf("record %d follows record %d", r.Seq, last)
	case r.At < s.at && last > 0:
		// The start-up has negative times.
		return fmt.Errorf("record %d is of %s, before record %d of %s", r.Seq, Seconds(r.At), last, Seconds(s.at))
	case r.Cause >= r.Seq:
		return fmt.Errorf("record %d has the later record %d as its cause", r.Seq, r.Cause)
	case r.Cause < 0:
		return fmt.Errorf("record %d has record %d as its cause, and records begin with 1", r.Seq, r.Cause)
	}
	if err := s.references(r); err != nil {
		return err
	}
	s.at, s.roles = r.At, append(s.roles, roleOf(r))
	return nil
}

// references checks the other records that a record names.
func (s *Sequence) references(r *Record) error {
	if r.FaultSeq != 0 && !s.is(r.FaultSeq, roleFault) {
		return fmt.Errorf("record %d names record %d as the fault that decided it, and that is not an earlier fault", r.Seq, r.FaultSeq)
	}
	if r.Request != nil {
		for _, seq := range r.Request.Webhooks {
			if !s.is(seq, roleWebhook) {
				return fmt.Errorf("record %d names record %d as a call of a webhook, and that is not an earlier one", r.Seq, seq)
			}
		}
	}
	if r.Sync != nil && r.Sync.Phase == PhaseEnd && !s.is(r.Sync.Start, roleSyncStart) {
		return fmt.Errorf("record %d names record %d as the start of its sync, and that is not an earlier start", r.Seq, r.Sync.Start)
	}
	return nil
}

// is reports whether a record is an earlier one with a role.
func (s *Sequence) is(seq int64, role role) bool {
	return seq >= 1 && seq <= s.Len() && s.roles[seq-1] == role
}
