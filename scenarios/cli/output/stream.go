package output

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// StreamEvery is how long a reader of -o stream waits at most for what has happened.
const StreamEvery = 50 * time.Millisecond

// Stream writes the records of a run as they come. The simulation's goroutine writes them; what ends a simulation
// before its time comes from others, and so does what flushes them.
type Stream struct {
	mu   sync.Mutex
	out  *bufio.Writer
	last trace.Record
	// waiting are the lines that came while somebody else had the stream. Only the simulation's goroutine uses it.
	waiting []byte
	// ended means that nothing may follow.
	ended bool
}

// NewStream returns a stream into a writer, which it flushes.
func NewStream(out *bufio.Writer) *Stream { return &Stream{out: out} }

// maxWaiting is how many bytes of lines may wait for a reader that is slow.
const maxWaiting = 4 << 20

// Write is a trace.Sink. It never parks the simulation's goroutine: one that another goroutine wakes up, at a moment of
// real time, would find another place among the goroutines of the simulation than one that did not have to wait.
func (s *Stream) Write(record *trace.Record, line []byte) {
	s.waiting = append(s.waiting, line...)
	for !s.mu.TryLock() {
		if len(s.waiting) < maxWaiting {
			return
		}
		runtime.Gosched()
	}
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.last.Seq, s.last.At = record.Seq, record.At
	_, _ = s.out.Write(s.waiting)
	s.waiting = s.waiting[:0]
}

// Between calls f with the last record, unless somebody else has the stream just then, which is not ok. What f writes is behind that
// record. If f returns a writer, the process is a copy: the stream forgets what it has not written yet, which its original writes, and
// goes there.
func (s *Stream) Between(f func(last trace.Record, out *bufio.Writer) (copied io.Writer)) (ok bool) {
	if !s.mu.TryLock() {
		return false
	}
	defer s.mu.Unlock()
	_, _ = s.out.Write(s.waiting)
	s.waiting = s.waiting[:0]
	if to := f(s.last, s.out); to != nil {
		s.out.Reset(to)
	}
	return true
}

// Follow flushes what was written every now and then, for a reader that watches, until stop is called.
func (s *Stream) Follow(every time.Duration) (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.mu.Lock()
				_ = s.out.Flush()
				s.mu.Unlock()
			}
		}
	}()
	return func() { close(done) }
}

// Halt ends the stream with the reason why the simulation ended before its time.
func (s *Stream) Halt(halt trace.Halt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	_, _ = s.out.Write(haltRecord(halt, s.last.Seq, s.last.At).Line())
	_ = s.out.Flush()
}

// End ends the stream of a run that came to its end. The simulation is over: nobody calls Write any more.
func (s *Stream) End(outcome any) error {
	line, err := json.Marshal(map[string]any{"outcome": outcome})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	_, _ = s.out.Write(s.waiting)
	fmt.Fprintf(s.out, "%s\n", line)
	return s.out.Flush()
}
