package output

import (
	"bufio"
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// TestProgressLine shows nothing in the first second, then a line that is rewritten, and erases it in the end.
func TestProgressLine(t *testing.T) {
	const erase = "\r\x1b[K"
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{progressDelay / 2, ""},
		{progressDelay + time.Millisecond, erase + "1s" + erase},
		{progressDelay * 3 / 2, erase + "1s" + erase + "1.2s" + erase + "1.4s" + erase},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			stop := rewriteLine(&out, time.Duration.String)
			time.Sleep(c.after)
			stop()
			if out.String() != c.want {
				t.Errorf("after %v: %q, want %q", c.after, out.String(), c.want)
			}
		})
	}
}

// TestReadingLine reads two files at once, which share a line that the second one erases.
func TestReadingLine(t *testing.T) {
	open := func(name string, size int) *input.File {
		path := filepath.Join(t.TempDir(), name)
		put(t, path, strings.Repeat("a line\n", size/len("a line\n")+1), 0o644)
		file, err := input.Look(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		return file
	}
	a, b := open("a.jsonl", 3<<20), open("b.jsonl", 1<<20)
	var r readings
	shown, erased := 0, 0
	show := func(text func(time.Duration) string) func() {
		shown++
		return func() { erased++ }
	}
	stop := r.begin(a, show)
	if _, err := io.CopyN(io.Discard, a, 3<<19); err != nil {
		t.Fatal(err)
	}
	if got := r.line(); got != "reads a.jsonl, 49 % of 4 MiB" {
		t.Errorf("half of a file: %q", got)
	}
	stopB := r.begin(b, show)
	if got := r.line(); got != "reads a.jsonl, 49 % of 4 MiB; reads b.jsonl, 0 % of 2 MiB" {
		t.Errorf("two files: %q", got)
	}
	stop()
	if got := r.line(); got != "reads b.jsonl, 0 % of 2 MiB" || shown != 1 || erased != 0 {
		t.Errorf("the second file: %q, shown %d times, erased %d times", got, shown, erased)
	}
	stopB()
	if erased != 1 {
		t.Errorf("erased %d times", erased)
	}
}

// TestNoTerminal shows that a buffer or a file gets no progress.
func TestNoTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		stop := ShowLine(&out, func(time.Duration) string { return "progress" })
		time.Sleep(time.Minute)
		stop()
		if out.Len() > 0 {
			t.Errorf("%q", out.String())
		}
	})
}

// TestStreamEndsOnce shows that nothing follows the reason why a run was aborted, which other goroutines report.
func TestStreamEndsOnce(t *testing.T) {
	var out bytes.Buffer
	s := &Stream{out: bufio.NewWriter(&out)}
	s.Write(&trace.Record{Seq: 41, At: 7}, []byte("record\n"))
	s.Halt(trace.Halt{Reason: trace.HaltFrozen, Actors: []string{"deployment-controller"}})
	s.Halt(trace.Halt{Reason: trace.HaltMemory})
	s.Write(&trace.Record{Seq: 42}, []byte("late\n"))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || lines[0] != "record" {
		t.Fatalf("%q, want the record and the halt", lines)
	}
	for _, part := range []string{`"seq":42,`, `"at":7,`, `"actor":"deployment-controller"`, `"reason":"Frozen"`} {
		if !strings.Contains(lines[1], part) {
			t.Errorf("%s does not contain %s", lines[1], part)
		}
	}
}

// TestStreamDoesNotPark shows that a record is not lost, and its writer not parked, while somebody else has the stream.
func TestStreamDoesNotPark(t *testing.T) {
	var out bytes.Buffer
	s := &Stream{out: bufio.NewWriter(&out)}
	s.mu.Lock()
	s.Write(&trace.Record{Seq: 1}, []byte("first\n"))
	s.mu.Unlock()
	s.Write(&trace.Record{Seq: 2}, []byte("second\n"))
	s.mu.Lock()
	s.Write(&trace.Record{Seq: 3}, []byte("third\n"))
	s.mu.Unlock()
	if err := s.End("pass"); err != nil {
		t.Fatal(err)
	}
	if want := "first\nsecond\nthird\n{\"outcome\":\"pass\"}\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestStreamFollow shows a record within a moment, and the outcome as the last line.
func TestStreamFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := &Stream{out: bufio.NewWriter(&out)}
		stop := s.Follow(StreamEvery)
		s.Write(&trace.Record{Seq: 1}, []byte("record\n"))
		s.mu.Lock()
		if out.Len() > 0 {
			t.Errorf("at once: %q", out.String())
		}
		s.mu.Unlock()
		time.Sleep(StreamEvery)
		synctest.Wait()
		if out.String() != "record\n" {
			t.Errorf("after %v: %q", StreamEvery, out.String())
		}
		stop()
		if err := s.End(map[string]string{"result": "pass"}); err != nil {
			t.Fatal(err)
		}
		s.Write(&trace.Record{Seq: 2}, []byte("late\n"))
		_ = s.out.Flush()
		if lines := strings.Split(out.String(), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], `{"outcome":{`) {
			t.Errorf("%q", lines)
		}
	})
}
