package branch

import (
	"encoding/json"
	"slices"

	"github.com/kubestep/kubestep/sim/trace"
)

// Divergence is the first record of each of two runs that the other does not have; 0 where a run ends before.
// What only tells about a run is passed over: notes, questions, checks, and steps that wait. So is the number of
// a record, which depends on those.
func Divergence(a, b []*trace.Record) (inA, inB int64) {
	i, j := 0, 0
	for {
		i, j = skip(a, i), skip(b, j)
		switch {
		case i == len(a) && j == len(b):
			return 0, 0
		case i == len(a):
			return 0, b[j].Seq
		case j == len(b):
			return a[i].Seq, 0
		case !same(a[i], b[j]):
			return a[i].Seq, b[j].Seq
		}
		i, j = i+1, j+1
	}
}

func skip(records []*trace.Record, i int) int {
	for i < len(records) && tells(records[i]) {
		i++
	}
	return i
}

// tells says whether a record only tells about a run, and does nothing in it.
func tells(record *trace.Record) bool {
	if record.Action != nil {
		return slices.Contains([]string{"wait", "expect"}, record.Action.Verb)
	}
	return record.Note != nil || record.Ask != nil || record.Answer != nil || record.Check != nil
}

// same compares records by what they say, without the numbers of records.
func same(a, b *trace.Record) bool {
	if a.Kind != b.Kind || a.At != b.At || a.Actor != b.Actor {
		return false
	}
	left, err := json.Marshal(plain(a))
	if err != nil {
		return false
	}
	right, err := json.Marshal(plain(b))
	return err == nil && string(left) == string(right)
}

// plain is a copy of a record without the numbers of records and of steps.
func plain(record *trace.Record) *trace.Record {
	c := *record
	c.Seq, c.Cause = 0, 0
	if c.Sync != nil {
		sync := *c.Sync
		sync.Start = 0
		c.Sync = &sync
	}
	if c.Action != nil {
		action := *c.Action
		action.Step = 0
		c.Action = &action
	}
	return &c
}
