package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// streamEvery is how long a reader of -o stream waits at most for what has happened.
const streamEvery = 50 * time.Millisecond

// streams reports whether the output is made of records.
func (f *runFlags) streams() bool { return f.output == "jsonl" || f.output == "stream" }

// streamWriter writes the records of a run as they come. The simulation's goroutine writes them; what ends a simulation
// before its time comes from others.
type streamWriter struct {
	mu   sync.Mutex
	out  *bufio.Writer
	last trace.Record
	// ended means that nothing may follow.
	ended bool
}

// write is a trace.Sink.
func (s *streamWriter) write(record *trace.Record, line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.last.Seq, s.last.At = record.Seq, record.At
	_, _ = s.out.Write(line)
}

// follow flushes what was written every now and then, for a reader that watches, until stop is called.
func (s *streamWriter) follow(every time.Duration) (stop func()) {
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

// halt ends the stream with the reason why the simulation ended before its time.
func (s *streamWriter) halt(halt trace.Halt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	_, _ = s.out.Write(haltRecord(halt, s.last.Seq, s.last.At).Line())
	_ = s.out.Flush()
}

// end ends the stream of a run that came to its end.
func (s *streamWriter) end(outcome *runner.Outcome) error {
	line, err := json.Marshal(map[string]any{"outcome": outcome})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	fmt.Fprintf(s.out, "%s\n", line)
	return s.out.Flush()
}
