package keyframe

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
)

// host is the state of a Host.
type host struct {
	// control is where the connections to keyframes are sent; -1 if nobody wants any.
	control int
	// memory bounds the keyframes together, in bytes. A process that has more than half of that itself makes none.
	memory int64
	// number is that of the last keyframe, and cost the processor time at which it was made. before is what the processes have used
	// of which this one is a copy.
	number       int
	cost, before time.Duration
	// question is what this copy of a keyframe was asked; nil in the process of the run, and when it is answered.
	question *question
}

// question asks for the run of another scenario.
type question struct {
	// until is the time at which the two begin to differ, and from that of the keyframe that was asked.
	until, from time.Duration
	// text and out are the descriptors of the scenario and of the stream.
	text, out int
}

// Start makes the Host ready. It is not ok if nobody wants keyframes, or if there cannot be any.
func (h *Host) Start() (ok bool) {
	if n, err := fmt.Sscan(os.Getenv(variable), &h.control, &h.memory); n != 2 || err != nil || !exact.CanFork() {
		return false
	}
	unix.CloseOnExec(h.control)
	return os.Unsetenv(variable) == nil
}

// Become is runner.RunOptions.Become: it makes a keyframe now and then. In a copy that was asked a question, it makes one more at the time
// at which the answer begins to differ, for other questions about that time, and then returns the plan.
func (h *Host) Become(now time.Duration) (plan *runner.Plan, again time.Duration) {
	try := func() (ok bool) {
		return h.Between(func(last trace.Record, out *bufio.Writer) io.Writer { return h.keyframe(now, last.Seq, out) })
	}
	if h.question == nil && h.control >= 0 && isDue(h.used(), h.cost) && limits.MemoryInUse() <= h.memory/2 {
		try()
	}
	for q := h.question; q != nil; q = h.question {
		switch {
		case now < q.until:
			return nil, q.until
		case now == q.from || h.control < 0:
			return h.answer(q), 0
		}
		q.from = now
		for !try() {
			runtime.Gosched()
		}
		// In a copy of the new keyframe, this is another question now.
	}
	return nil, 0
}

// answer is what the run becomes.
func (h *Host) answer(q *question) *runner.Plan {
	plan, err := h.read(contents(q.text))
	if err != nil {
		unix.Exit(1)
	}
	_ = unix.Close(q.text)
	h.deny()
	h.question = nil
	return plan
}

// deny makes no more keyframes.
func (h *Host) deny() {
	if h.control >= 0 {
		_ = unix.Close(h.control)
	}
	h.control = -1
}

// used is how much processor time the run has taken so far.
func (h *Host) used() time.Duration { return h.before + processorTime() }

// keyframe makes a keyframe, and says so in the stream. In a copy of the keyframe, which was asked a question, it returns where the stream
// goes.
func (h *Host) keyframe(now time.Duration, seq int64, out io.Writer) (copied io.Writer) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	h.number++
	err = send(h.control, h.number, ends[1])
	_ = unix.Close(ends[1])
	if err != nil {
		_ = unix.Close(ends[0])
		if !errors.Is(err, unix.EAGAIN) {
			// Whoever wanted keyframes is gone. Otherwise, it has not taken the last ones yet.
			h.deny()
		}
		return nil
	}
	mark := Mark{
		Number: h.number, At: now, Seq: seq, Branch: h.question != nil, Cost: h.used(), Bytes: limits.MemoryInUse(),
	}
	pid, err := exact.Fork()
	if pid == 0 && err == nil {
		h.before = mark.Cost
		return h.wait(ends[0], now)
	}
	_ = unix.Close(ends[0])
	if err == nil {
		// A mark is a struct of numbers.
		line, _ := json.Marshal(Line{&mark})
		_, _ = out.Write(append(line, '\n'))
	}
	h.cost = h.used()
	return nil
}

// wait is what a keyframe does: it copies itself for each question. It returns in the copies only.
func (h *Host) wait(questions int, now time.Duration) io.Writer {
	h.detach()
	// The collector would touch all memory, which is then no longer shared.
	collector := debug.SetGCPercent(-1)
	for {
		until, fds, err := receive(questions, 0)
		for pid := 1; pid > 0; {
			pid, _ = unix.Wait4(-1, nil, unix.WNOHANG, nil)
		}
		if err != nil || len(fds) != 3 {
			unix.Exit(0)
		}
		pid, err := exact.Fork()
		if pid > 0 || err != nil {
			closeAll(fds)
			continue
		}
		_ = unix.Close(questions)
		survive()
		debug.SetGCPercent(collector)
		h.question = &question{until: time.Duration(until), from: now, text: fds[0], out: fds[1]}
		h.control = fds[2]
		h.Progress.Waited.Add(1)
		h.Progress.Waits.Store(false)
		return branchOut(fds[1])
	}
}

// branchOut is the descriptor of the stream of a branch. It is no os.File, which closes its descriptor when nobody uses it any more: in a
// copy, the number may be that of another file by then.
type branchOut int

// Write implements io.Writer. When nobody reads the stream any more, the process ends.
func (out branchOut) Write(p []byte) (written int, err error) {
	for written < len(p) {
		n, err := unix.Write(int(out), p[written:])
		if err != nil && !errors.Is(err, unix.EINTR) {
			unix.Exit(1)
		}
		written += max(n, 0)
	}
	return written, nil
}

// detach makes a keyframe independent of what its process was made for: it makes no other keyframes, writes nothing, and does not end with
// the run.
func (h *Host) detach() {
	h.Progress.Waits.Store(true)
	h.deny()
	if q := h.question; q != nil {
		closeAll([]int{q.text, q.out})
		h.question = nil
	}
	nothing, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	for fd := 0; fd < 3 && err == nil; fd++ {
		err = unix.Dup3(nothing, fd, 0)
	}
	if err != nil {
		unix.Exit(1)
	}
	_ = unix.Close(nothing)
	survive()
}

// survive lets a copy live longer than what it was copied from: the run may end, and a keyframe may be ended for the memory that the one
// needs that its branch has just left. A branch ends with its stream.
func survive() {
	if unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0) != nil {
		unix.Exit(1)
	}
}

// contents reads a file from its start.
func contents(fd int) []byte {
	var all []byte
	buffer := make([]byte, 1<<16)
	for {
		n, err := unix.Pread(fd, buffer, int64(len(all)))
		if n <= 0 && err != unix.EINTR {
			return all
		}
		all = append(all, buffer[:max(n, 0)]...)
	}
}

// processorTime is what this process has used.
func processorTime() time.Duration {
	var used unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &used)
	return time.Duration(used.Nano())
}
