package recording

import (
	"bytes"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/trace"
)

// made are how many records each lookup has.
func made(rec *Recording) map[string]int64 {
	counts := map[string]int64{}
	for name, l := range map[string]*lookup{
		"stored": &rec.stored, "informed": &rec.informed, "held": &rec.held, "lived": &rec.lived, "synced": &rec.synced,
		"requested": &rec.requested,
	} {
		if n := l.made.Load(); n > 0 {
			counts[name] = n
		}
	}
	return counts
}

// A recording of an archive makes the lookups that it is asked for, and no others.
func TestMakesWhatIsAskedFor(t *testing.T) {
	const n = 20
	rec := outlined(t, manyPods(t, n))
	want := map[string]int64{}
	makes := func(what string, lookups ...string) {
		t.Helper()
		for _, name := range lookups {
			want[name] = 2 * n
		}
		if unequal := cmp.Diff(want, made(rec)); unequal != "" {
			t.Errorf("%s: lookups (-want +got)\n%s", what, unequal)
		}
	}
	makes("a recording that was read")
	if rec.Kind(3) != trace.KindRequest || rec.Actor(3) != "kubectl" || rec.Find(7*time.Second) != 7 || len(rec.OfActor("kubectl")) != 2*n ||
		len(rec.OfKind(trace.KindRequest)) != 2*n || len(rec.Marks().Writes) != 2*n || len(rec.Effects(3)) != 0 || rec.Axis() == nil {
		t.Error("what is known of each record is wrong")
	}
	makes("what is known of each record")
	if rec.VersionAt(pod(3), 2*n) != 1 || len(rec.Replay.Objects("pods", 4)) != 4 {
		t.Error("the versions of an object are wrong")
	}
	makes("versions", "stored")
	if len(rec.PodsAt(2*n, 0)) != n {
		t.Error("the Pods are wrong")
	}
	makes("Pods", "lived")
	if len(rec.Starts()) != 0 || rec.SyncEnd(3) != 0 {
		t.Error("there are no syncs")
	}
	makes("syncs", "synced")
	if len(rec.RequestsOf("kubectl", pod(3))) != 2 {
		t.Error("the requests about an object are wrong")
	}
	makes("requests", "requested")
	if rec.Caches.Read("kubectl", "pods") != nil {
		t.Error("kubectl has a cache")
	}
	makes("caches", "informed")
}

// One pass makes what a screen asks for.
func TestPass(t *testing.T) {
	const n = 20
	rec, seen := outlined(t, manyPods(t, n)), int64(0)
	rec.Pass(func(record *trace.Record) {
		if seen++; record.Seq != seen {
			t.Fatalf("record %d is in the place of record %d", record.Seq, seen)
		}
	})
	want := map[string]int64{"stored": 2 * n, "informed": 2 * n, "lived": 2 * n, "synced": 2 * n}
	if unequal := cmp.Diff(want, made(rec)); unequal != "" || seen != 2*n {
		t.Errorf("%d records, lookups (-want +got)\n%s", seen, unequal)
	}
}

// A fact has 16 bytes, so that those of four million records take 64 MB.
func TestSizeOfFacts(t *testing.T) {
	if size := unsafe.Sizeof(fact{}); size != 16 {
		t.Errorf("a fact has %d bytes", size)
	}
}

// The last block of a run that was aborted has no outline, since it has a halt. Its records are found like those of the others.
func TestRecordsBehindOutlines(t *testing.T) {
	const n = 100
	whole := manyPods(t, n)
	builder := NewBuilder()
	for record := range whole.All() {
		if err := builder.Add(record); err != nil {
			t.Fatal(err)
		}
	}
	err := builder.Add(&trace.Record{Seq: 2*n + 1, At: time.Hour, Kind: trace.KindHalt, Halt: &trace.Halt{Reason: "Timeout", Message: "late"}})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := Read(bytes.NewReader(archived(t, builder.Done(Origin{}, ""), nil)), Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if _, of := rec.Opened(); rec.Len() != 2*n || of == 0 || of == len(rec.records.blocks) || rec.Cut != "late" {
		t.Fatalf("%d records, %d of %d blocks have outlines, %q", rec.Len(), of, len(rec.records.blocks), rec.Cut)
	}
	for _, seq := range []int64{1, n, 2*n - 1, 2 * n} {
		if unequal := cmp.Diff(whole.PodsAt(seq, 0), rec.PodsAt(seq, 0)); unequal != "" {
			t.Errorf("Pods after record %d (-want +got)\n%s", seq, unequal)
		}
		if unequal := cmp.Diff(whole.Replay.Objects("pods", seq), rec.Replay.Objects("pods", seq)); unequal != "" {
			t.Errorf("objects after record %d (-want +got)\n%s", seq, unequal)
		}
	}
	for i := range n {
		if unequal := cmp.Diff(whole.Replay.Object(pod(i)), rec.Replay.Object(pod(i))); unequal != "" {
			t.Errorf("Pod %d (-want +got)\n%s", i, unequal)
		}
	}
}

// Recordings differ at the first record of which they do not have the same line, wherever their blocks begin.
func TestFirstDifference(t *testing.T) {
	const n = 100
	all := manyPods(t, n)
	same := outlined(t, all)
	if seq, differ := FirstDifference(all, same); differ || !SameLines(all, same) {
		t.Errorf("a run and its archive differ at record %d", seq)
	}
	for _, at := range []int64{1, 57, 2 * n} {
		builder := NewBuilder()
		for record := range all.All() {
			other := *record
			if record.Seq == at {
				other.Background = true
			}
			if err := builder.Add(&other); err != nil {
				t.Fatal(err)
			}
		}
		other := outlined(t, builder.Done(Origin{}, ""))
		if seq, differ := FirstDifference(same, other); !differ || seq != at || SameLines(same, other) {
			t.Errorf("they differ at record %d, %t, want %d", seq, differ, at)
		}
		if opened, _ := other.Opened(); opened != 1 {
			t.Errorf("%d blocks were decoded, want that of the record", opened)
		}
	}
	builder := NewBuilder()
	for record := range all.All() {
		if record.Seq < 2*n {
			_ = builder.Add(record)
		}
	}
	if seq, differ := FirstDifference(same, builder.Done(Origin{}, "")); !differ || seq != 2*n {
		t.Errorf("they differ at record %d, %t, want the last", seq, differ)
	}
}

// Of the records of some kinds, others are not decoded.
func TestAllOf(t *testing.T) {
	rec := outlined(t, manyPods(t, 10))
	for record := range rec.AllOf(trace.KindSync, trace.KindCheck) {
		t.Errorf("record %d is of no such kind", record.Seq)
	}
	n := 0
	for record := range rec.AllOf(trace.KindRequest) {
		if n++; record.Seq != int64(n) {
			t.Errorf("record %d is in the place of record %d", record.Seq, n)
		}
	}
	if n != 20 {
		t.Errorf("%d requests, want 20", n)
	}
}
