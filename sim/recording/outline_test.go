package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// archived is an archive of records; says is what their outline is made from instead, if it is not nil.
func archived(t *testing.T, rec *Recording, says func(*trace.Record) *trace.Record) []byte {
	t.Helper()
	var out bytes.Buffer
	writer, err := archive.NewWriter(&out, archive.Header{})
	if err != nil {
		t.Fatal(err)
	}
	for record := range rec.All() {
		said := record
		if says != nil {
			said = says(record)
		}
		if err := writer.Write(said, record.Line()); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(archive.End{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// outlined is a recording that was read from an archive, by the outlines of its blocks.
func outlined(t *testing.T, rec *Recording) *Recording {
	t.Helper()
	read, err := Read(bytes.NewReader(archived(t, rec, nil)), rec.Origin)
	if err != nil {
		t.Fatal(err)
	}
	if opened, of := read.Opened(); opened > 0 || of == 0 {
		t.Fatalf("%d of %d blocks were decompressed to read the trace", opened, of)
	}
	return read
}

// manyPods are Pods with large annotations, each of which is created, then updated, all by the same client.
func manyPods(t *testing.T, n int) *Recording {
	t.Helper()
	builder := NewBuilder()
	add := func(seq int64, verb string, w trace.Write) {
		w.RV = uint64(seq)
		record := &trace.Record{
			Seq: seq, At: time.Duration(seq) * time.Second, Kind: trace.KindRequest, Actor: "kubectl",
			Request: &trace.Request{Verb: verb, Object: w.Object, Code: 200, Writes: []trace.Write{w}},
		}
		if err := builder.Add(record); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2 * n {
		o := pod(i % n)
		if i >= n {
			var w trace.Write
			change := `{"op":"update","changes":[{"path":"status.phase","new":"Running"},{"path":"metadata.annotations.b","new":"%s"}]}`
			if err := json.Unmarshal([]byte(fmt.Sprintf(change, strings.Repeat("b", 20_000))), &w); err != nil {
				t.Fatal(err)
			}
			w.Object = o
			add(int64(i)+1, "update", w)
			continue
		}
		text := fmt.Sprintf(`{"metadata":{"name":%q,"annotations":{"a":%q}},"status":{"phase":"Pending"}}`, o.Name, strings.Repeat("a", 20_000))
		add(int64(i)+1, "create", trace.Write{Op: trace.OpCreate, Object: o, UID: o.Name, New: []byte(text)})
	}
	return builder.Done(Origin{}, "")
}

func pod(i int) trace.Object {
	return trace.Object{Resource: "pods", Namespace: "default", Name: fmt.Sprintf("web-%d", i)}
}

// A recording of an archive decompresses the blocks that have what it is asked for, and no others.
func TestOpensWhatIsAskedFor(t *testing.T) {
	const n = 200
	rec := outlined(t, manyPods(t, n))
	opens := func(what string, want int) {
		t.Helper()
		if opened, of := rec.Opened(); opened != want || of != 16 {
			t.Errorf("%s: %d of %d blocks were decompressed so far, want %d of 16", what, opened, of, want)
		}
	}
	if pods := rec.PodsAt(2*n, 2*n*time.Second); len(pods) != n || pods[3].Phase != Running || len(rec.Versions(pod(3))) != 2 {
		t.Errorf("%d Pods at the end, %+v, versions %+v", len(pods), pods[3], rec.Versions(pod(3)))
	}
	if pods := rec.PodsAt(n, n*time.Second); pods[3].Phase != Pending {
		t.Errorf("a Pod that is only created is %v", pods[3].Phase)
	}
	if len(rec.OfActor("kubectl")) != 2*n || rec.Find(7*time.Second) != 7 || len(rec.RequestsOf("kubectl", pod(7))) != 2 {
		t.Error("the records of an actor, at a time, and about an object are not found")
	}
	seq := int64(0)
	for record := range rec.Outlines() {
		if seq++; record.Seq != seq || record.Request.Writes[0].Object != pod((int(seq)-1)%n) {
			t.Fatalf("the outline of record %d is %+v", seq, record)
		}
	}
	if seq != 2*n {
		t.Errorf("%d outlines, want %d", seq, 2*n)
	}
	opens("the phases of all Pods, the records of an actor, of an object, and at a time", 0)
	if object := rec.Replay.ObjectAt(pod(3), n); text(object, "status", "phase") != "Pending" {
		t.Errorf("the Pod is %v", object)
	}
	opens("a Pod after its creation", 1)
	if object := rec.Replay.ObjectAt(pod(3), 2*n); text(object, "status", "phase") != "Running" || len(text(object, "metadata", "annotations", "a")) != 20_000 {
		t.Error("the updated Pod is not what was written")
	}
	opens("the same Pod after its update", 2)
	if record := rec.Record(3); record.Request.Writes[0].Object != pod(2) {
		t.Errorf("record 3 is %+v", record)
	}
	opens("a record next to it", 2)
	for record := range rec.After(2*n - 2) {
		if record.Request.Verb != "update" {
			t.Errorf("record %d is %+v", record.Seq, record)
		}
	}
	opens("the last two records", 3)
	for range rec.All() {
	}
	opens("all records", 16)
}

// An archive may have been made to hide something: what its outline says is compared with each record that is looked at.
func TestOutlinesThatLie(t *testing.T) {
	rec := manyPods(t, 2)
	for name, lie := range map[string]func(*trace.Record){
		"another object":  func(r *trace.Record) { r.Request.Writes[0].Name = "web-1" },
		"another version": func(r *trace.Record) { r.Request.Writes[0].RV += 100 },
		"another actor":   func(r *trace.Record) { r.Actor = "kubelet" },
		"another time":    func(r *trace.Record) { r.At++ },
		"another cause":   func(r *trace.Record) { r.Cause = 1 },
		"no writes":       func(r *trace.Record) { r.Request.Writes = nil },
		"another kind":    func(r *trace.Record) { r.Request, r.Note, r.Kind = nil, &trace.Note{}, trace.KindNote },
	} {
		data := archived(t, rec, func(record *trace.Record) *trace.Record {
			if record.Seq != 3 {
				return record
			}
			said, request := *record, *record.Request
			request.Writes = append([]trace.Write{}, request.Writes...)
			said.Request = &request
			lie(&said)
			return &said
		})
		read, err := Read(bytes.NewReader(data), Origin{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var bad *archive.Error
		if err := damage(func() { read.Record(3) }); !errors.As(err, &bad) || bad.Kind != archive.Damaged || bad.Offset == 0 {
			t.Errorf("%s: %v, want that a byte is damaged", name, err)
		}
	}
}

// damage is the error with which a function panics.
func damage(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

// An outline that cannot be that of a trace is refused when it is read, with the byte of its block.
func TestOutlinesThatAreNoTrace(t *testing.T) {
	data := archived(t, manyPods(t, 2), func(record *trace.Record) *trace.Record {
		said := *record
		if record.Seq == 2 {
			said.At = 0
		}
		return &said
	})
	rec, err := Read(bytes.NewReader(data), Origin{})
	if err != nil {
		t.Fatal(err)
	}
	var bad *archive.Error
	if !errors.As(rec.CutBy, &bad) || bad.Kind != archive.Damaged || bad.Offset == 0 || bad.Records != 1 || rec.Len() != 1 {
		t.Errorf("%d records, %v, want that a byte behind the first record is damaged", rec.Len(), rec.CutBy)
	}
	if record := rec.Record(1); record.Request.Name != "web-0" {
		t.Errorf("the record before the damage is %+v", record)
	}
}

// TestReadsAPart reads the first part of an archive: the blocks behind it are not read, and what it says is what a recording of the same
// records says.
func TestReadsAPart(t *testing.T) {
	const n = 200
	whole := manyPods(t, n)
	data := archived(t, whole, nil)
	until := Extent{}
	rec, err := Reading{
		Until: func(read Extent) bool { until = read; return read.Reaches(Extent{Records: 100}) }, Whole: Whole{Records: 2 * n},
	}.Read(bytes.NewReader(data), Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if opened, of := rec.Opened(); opened != 0 || of != 4 || rec.Len() != until.Records || rec.Len() < 100 || rec.Whole == nil || rec.Whole.Records != 2*n {
		t.Errorf("%d of %d blocks were decompressed, %d records, %+v", opened, of, rec.Len(), rec.Whole)
	}
	if pods := rec.PodsAt(rec.Len(), rec.At(rec.Len())); len(pods) != int(rec.Len()) || rec.Extent() != (Extent{rec.Len(), rec.At(rec.Len()), 0}) {
		t.Errorf("%d Pods after %+v", len(pods), rec.Extent())
	}
	all := outlined(t, whole)
	if !rec.Begins(all) || all.Begins(rec) || all.Whole != nil {
		t.Error("it is the first part of the other, which is not its")
	}
	other := NewBuilder()
	for record := range whole.All() {
		changed := *record
		changed.At += time.Second
		if err := other.Add(&changed); err != nil {
			t.Fatal(err)
		}
	}
	if rec.Begins(other.Done(Origin{}, "")) {
		t.Error("it is the first part of another run")
	}
}

// TestReadsBlocksFromTheFile reads an archive that stays open: its blocks are in the file, and are read when they are needed. One that
// is not what it was then is found.
func TestReadsBlocksFromTheFile(t *testing.T) {
	whole := manyPods(t, 200)
	data := archived(t, whole, nil)
	kept := bytes.Clone(data)
	rec, err := Reading{Kept: bytes.NewReader(kept)}.Read(bytes.NewReader(data), Origin{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range rec.records.blocks {
		if b.packed != nil || b.outline != nil {
			t.Fatalf("the block of record %d is in memory", b.first)
		}
	}
	if len(rec.PodsAt(400, 400*time.Second)) != 200 || !SameLines(rec, whole) || !SameLines(rec, outlined(t, whole)) {
		t.Error("it is another run")
	}
	last := rec.records.blocks[len(rec.records.blocks)-1]
	kept[last.entry.Offset+50] ^= 1
	var bad *archive.Error
	if err := damage(func() { rec.Record(400) }); !errors.As(err, &bad) || bad.Offset != last.entry.Offset || bad.Records != int(last.first)-1 {
		t.Errorf("%v, want that the last block has changed", err)
	}
}
