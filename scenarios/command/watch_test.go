package command

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubestep/kubestep/scenarios/limits"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestMemory reads --max-memory.
func TestMemory(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "512Mi": 512 << 20, "2Gi": 2 << 30, "1G": 1e9, "1.5Gi": 3 << 29, limits.DefaultMemory: 4 << 30,
	} {
		if got, err := parseMemory(text); got != want || err != nil {
			t.Errorf("%s is %d bytes, want %d (%v)", text, got, want, err)
		}
	}
}

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

// TestNoTerminal shows that a buffer or a file gets no progress, and lines of any width.
func TestNoTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		stop := showLine(&out, func(time.Duration) string { return "progress" })
		time.Sleep(time.Minute)
		stop()
		if out.Len() > 0 {
			t.Errorf("%q", out.String())
		}
	})
	for width, want := range map[int]int{widthOfTerminal: 0, 0: 0, 80: 80} {
		if got := columns(&bytes.Buffer{}, width); got != want {
			t.Errorf("--width %d is %d columns, want %d", width, got, want)
		}
	}
}

// TestStreamEndsOnce shows that nothing follows the reason why a run was aborted, which other goroutines report.
func TestStreamEndsOnce(t *testing.T) {
	var out bytes.Buffer
	s := &streamWriter{out: bufio.NewWriter(&out)}
	s.write(&trace.Record{Seq: 41, At: 7}, []byte("record\n"))
	s.halt(trace.Halt{Reason: trace.HaltFrozen, Actors: []string{"deployment-controller"}})
	s.halt(trace.Halt{Reason: trace.HaltMemory})
	s.write(&trace.Record{Seq: 42}, []byte("late\n"))
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

// TestStreamFollow shows a record within a moment, and the outcome as the last line.
func TestStreamFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := &streamWriter{out: bufio.NewWriter(&out)}
		stop := s.follow(streamEvery)
		s.write(&trace.Record{Seq: 1}, []byte("record\n"))
		if out.Len() > 0 {
			t.Errorf("at once: %q", out.String())
		}
		time.Sleep(streamEvery)
		synctest.Wait()
		if out.String() != "record\n" {
			t.Errorf("after %v: %q", streamEvery, out.String())
		}
		stop()
		if err := s.end(&runner.Outcome{Result: runner.Pass}); err != nil {
			t.Fatal(err)
		}
		s.write(&trace.Record{Seq: 2}, []byte("late\n"))
		_ = s.out.Flush()
		if lines := strings.Split(out.String(), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], `{"outcome":{`) {
			t.Errorf("%q", lines)
		}
	})
}
