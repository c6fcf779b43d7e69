package child

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
)

// fork is Maker.Fork.
func (s *Server) fork(job Job) (Job, bool) {
	for {
		pid, from, to, err := s.copied()
		switch {
		case err != nil:
			// It makes this future itself, and the next job runs from its start.
			return job, true
		case to != nil:
			s.Out, s.isChild, s.seed = to, true, job.Seed
			return job, true
		}
		next, err := s.after(pid, from, job, true)
		if err == nil && samePast(job, next) {
			job = next
			continue
		}
		if err == nil {
			s.held = &next
		}
		s.answered = true
		return job, false
	}
}

// disturb is Maker.Disturb.
func (s *Server) disturb(job *Job, now time.Duration) ([]format.FaultRule, time.Duration) {
	for {
		if begin := place.Begin(job.Late); begin > now {
			return nil, begin
		}
		pid, from, to, err := s.copied()
		switch {
		case err != nil:
			// It makes the rest of this run itself, and the next job runs from its start.
			return job.Late, 0
		case to != nil:
			s.Out, s.isChild, s.seed = to, true, job.Seed
			return job.Late, 0
		}
		next, err := s.after(pid, from, *job, true)
		if err == nil && sameUntilLate(*job, next) && place.Begin(next.Late) >= now {
			*job = next
			continue
		}
		if err == nil {
			s.held = &next
		}
		s.answered = true
		return nil, 0
	}
}

// copied copies the process. In the child, to is what its parent reads from; it is nil in the parent, which has the process and the
// descriptor to read from. What the process has used since its last answer counts for the child.
func (s *Server) copied() (pid, from int, to *os.File, err error) {
	answers, err := newPipe()
	if err != nil {
		return 0, 0, nil, err
	}
	used, parent := s.spent(), os.Getpid()
	switch pid, err = exact.Fork(); {
	case err != nil:
		answers.close()
	case pid == 0:
		s.counted = -used
		s.Limits.EaseGarbageCollector()
		s.elders = append(s.elders, parent)
		_ = unix.Close(answers.from)
		to = os.NewFile(uintptr(answers.to), "answers")
	default:
		_ = unix.Close(answers.to)
	}
	return pid, answers.from, to, err
}

// parent waits for the answer of a child, and passes it on. There is none of a future with which the family needs too much memory: a whole
// run may need less, and ends as it does where no process can be copied.
func (s *Server) parent(pid, from int, job Job) (answered bool) {
	line, status, err := s.hear(defaultPatience, pid, from, s.Limits.Timeout)
	if bytes.HasSuffix(line, []byte("\n")) {
		s.mu.Lock()
		defer s.mu.Unlock()
		_, _ = s.Out.Write(line)
		return true
	}
	halt := trace.Halt{Reason: HaltDied, Message: "a copy of the process ended without a report"}
	var limit *limits.Error
	switch {
	case errors.As(err, &limit) && job.Orders == nil:
		return false
	case limit != nil:
		halt = limit.Halt
	case err != nil:
		halt.Message = err.Error()
	case status.Signaled():
		halt.Message += ": " + status.Signal().String()
	}
	_ = s.answer(&Report{
		Seed: job.Seed, Result: runner.Fault, Halt: &halt,
		Failures: []Failure{{Name: string(halt.Reason), Message: halt.Message}},
	})
	return true
}

// hear reads what a child writes until it ends. A child that does not report in time, and one with which the family needs too much memory,
// is ended.
func (s *Server) hear(p patience, pid, from int, timeout time.Duration) (line []byte, status unix.WaitStatus, err error) {
	pids := append(slices.Clone(s.elders), os.Getpid(), pid)
	line, err = p.hear(pid, from, timeout, func() error {
		if halt := s.Limits.Family(pids, s.progress); halt != nil {
			return &limits.Error{Halt: *halt}
		}
		return nil
	})
	_ = unix.Close(from)
	if err != nil {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
	return line, ended(pid), err
}

// ended waits for the end of a child.
func ended(pid int) (status unix.WaitStatus) {
	for {
		if _, again := unix.Wait4(pid, &status, 0, nil); !errors.Is(again, unix.EINTR) {
			return status
		}
	}
}

// patience is how long a parent waits for a child: for longer than the child's own timeout, and for one that uses no processor time at all,
// unless idle is 0. A child has its own watchdog, too, which tells what keeps the simulation from making progress.
type patience struct{ grace, idle time.Duration }

var defaultPatience = patience{grace: 5 * time.Second, idle: time.Minute}

// endless is for a child that waits for jobs.
var endless = patience{}

// errSilent is what a child is that does not report in time.
var errSilent = errors.New("a copy of the process did not report in time")

// hear reads what a child writes until it ends. Timeout is that of the child, 0 for none. look is called now and then, and its error ends
// the wait. No goroutine or timer of Go is involved, since those of this goroutine are in virtual time.
func (p patience) hear(pid, from int, timeout time.Duration, look func() error) (line []byte, err error) {
	const tick = 100 * time.Millisecond
	buffer := make([]byte, 1<<16)
	used, since := "", time.Duration(0)
	for waited := time.Duration(0); timeout == 0 || waited < timeout+p.grace; {
		ready, err := unix.Poll([]unix.PollFd{{Fd: int32(from), Events: unix.POLLIN}}, int(tick.Milliseconds()))
		switch {
		case ready == 0:
			waited += tick
			if err := look(); err != nil {
				return line, err
			}
			if now := processorTime(pid); now != used {
				used, since = now, waited
			} else if p.idle > 0 && waited-since > p.idle {
				return line, errSilent
			}
		case ready > 0:
			n, err := unix.Read(from, buffer)
			line = append(line, buffer[:max(n, 0)]...)
			if n == 0 && err == nil {
				return line, nil
			}
		case err != nil && !errors.Is(err, unix.EINTR):
			return line, err
		}
	}
	return line, errSilent
}

// processorTime is how much a process has used, in the words of proc(5): the fields utime and stime, the 12th and the 13th after the name.
// It is empty if nobody knows.
func processorTime(pid int) string {
	text := limits.Proc(pid, "stat")
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return ""
	}
	return fields[11] + " " + fields[12]
}

// pipe is one that only a parent and its child have.
type pipe struct{ from, to int }

func newPipe() (pipe, error) {
	var ends [2]int
	err := unix.Pipe2(ends[:], unix.O_CLOEXEC)
	return pipe{ends[0], ends[1]}, err
}

func (p pipe) close() {
	_ = unix.Close(p.from)
	_ = unix.Close(p.to)
}
