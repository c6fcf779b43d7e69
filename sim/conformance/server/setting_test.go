package server

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestTraces writes the traces of two control planes of one test. Each is a file that kubestep reads.
func TestTraces(t *testing.T) {
	Setting.Trace = filepath.Join(t.TempDir(), "job.jsonl")
	defer func() { Setting.Trace, traces = "", 0 }()
	for range 2 {
		recorder := trace.NewRecorder(func() time.Duration { return 0 }, sinks()...)
		for range 3 {
			recorder.Emit(&trace.Record{Kind: trace.KindNote, Note: &trace.Note{Text: "hello"}})
		}
	}
	for _, name := range []string{"job.jsonl", "job.2.jsonl"} {
		file, err := os.Open(filepath.Join(filepath.Dir(Setting.Trace), name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		records := 0
		for record, err := range trace.ReadJSONL(file) {
			if records++; err != nil || record.Seq != int64(records) {
				t.Fatalf("%s: record %d: %+v, %v", name, records, record, err)
			}
		}
		if records != 3 {
			t.Errorf("%s: %d records, want 3", name, records)
		}
	}
}
