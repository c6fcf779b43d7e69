package outline

import (
	"testing"

	"github.com/kubestep/kubestep/sim/trace"
)

// A part of an outline says of a record what the whole outline says, as far as it goes.
func TestParts(t *testing.T) {
	all := records(t)
	for size := 1; size <= len(all); size++ {
		for _, data := range outlineOf(t, all, size) {
			block, err := Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			whole, wrote := map[Part][]string{}, []bool{}
			for record, err := range block.Records(Whole, nil) {
				if err != nil {
					t.Fatal(err)
				}
				wrote = append(wrote, record.Request != nil && len(record.Request.Writes) > 0)
				for part := Brief; part < Whole; part++ {
					whole[part] = append(whole[part], partOf(&record.Record, part))
				}
			}
			for part := Brief; part < Whole; part++ {
				n := 0
				for record, err := range block.Records(part, nil) {
					if err != nil {
						t.Fatal(err)
					}
					if got := string(record.Line()); got != whole[part][n] || record.Wrote != wrote[n] {
						t.Errorf("part %d of record %d is\n%s, wrote %t, want\n%s", part, record.Seq, got, record.Wrote, whole[part][n])
					}
					n++
				}
				if n != len(wrote) {
					t.Errorf("part %d has %d records, want %d", part, n, len(wrote))
				}
			}
		}
	}
}

// partOf is a record as text, without what a part does not have.
func partOf(r *trace.Record, part Part) string {
	only := *r
	switch {
	case r.Request != nil && part < Requests:
		only.Request = &trace.Request{Webhooks: r.Request.Webhooks}
	case r.Watch != nil:
		only.Watch = &trace.Watch{}
	case r.Container != nil:
		only.Container = &trace.Container{}
	case r.Fault != nil:
		only.Fault = &trace.Fault{}
	case r.Sync != nil && part < Syncs:
		only.Sync = &trace.Sync{Phase: r.Sync.Phase, Start: r.Sync.Start, Requeued: r.Sync.Requeued, Error: r.Sync.Error}
	case r.Timer != nil && part < Syncs:
		only.Timer = &trace.Timer{}
	}
	return string(only.Line())
}

// The digest of a record is that of its outline, and that of a record that differs is another one.
func TestDigest(t *testing.T) {
	seen := map[uint64]int64{}
	for _, data := range outlineOf(t, records(t), 3) {
		block, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		for said, err := range block.Records(Whole, nil) {
			if err != nil {
				t.Fatal(err)
			}
			record := records(t)[said.Seq-1]
			if Digest(&said.Record) != Digest(record) {
				t.Errorf("the digest of record %d is not that of its outline", said.Seq)
			}
			seen[Digest(record)] = said.Seq
			for what, change := range changes {
				record := records(t)[said.Seq-1]
				if change(record); string(record.Line()) != string(records(t)[said.Seq-1].Line()) && Digest(&said.Record) == Digest(record) {
					t.Errorf("the digest of record %d does not change with its %s", said.Seq, what)
				}
			}
		}
	}
	if len(seen) != len(records(t)) {
		t.Errorf("%d records have %d digests", len(records(t)), len(seen))
	}
}

// changes change what an outline has of a record.
var changes = map[string]func(*trace.Record){
	"time":       func(r *trace.Record) { r.At++ },
	"cause":      func(r *trace.Record) { r.Cause++ },
	"actor":      func(r *trace.Record) { r.Actor += "x" },
	"kind":       func(r *trace.Record) { r.Kind += "x" },
	"fault":      func(r *trace.Record) { r.FaultSeq++ },
	"background": func(r *trace.Record) { r.Background = !r.Background },
	"object": func(r *trace.Record) {
		if r.Request != nil {
			r.Request.Name += "x"
		}
		if r.Watch != nil {
			r.Watch.Name += "x"
		}
	},
	"writes": func(r *trace.Record) {
		if r.Request != nil && len(r.Request.Writes) > 0 {
			r.Request.Writes[0].RV++
		}
	},
	"deletion": func(r *trace.Record) {
		if r.Request != nil && len(r.Request.Writes) > 0 {
			r.Request.Writes[0].Op += "x"
		}
	},
	"key": func(r *trace.Record) {
		if r.Sync != nil {
			r.Sync.Key += "x"
		}
		if r.Timer != nil {
			r.Timer.Key += "x"
		}
	},
	"error": func(r *trace.Record) {
		if r.Sync != nil && r.Sync.Phase == trace.PhaseEnd {
			r.Sync.Error = ""
		}
	},
	"revision": func(r *trace.Record) {
		if r.Watch != nil {
			r.Watch.RV++
		}
	},
}
