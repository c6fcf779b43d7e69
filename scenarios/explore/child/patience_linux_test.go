package child

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestParentsEndSilentChildren waits for a child that does not report: one with a timeout, which it should have kept to, and one without,
// which uses no processor time. No process has the number -1, so it seems to use no processor time.
func TestParentsEndSilentChildren(t *testing.T) {
	for _, test := range []struct {
		name     string
		patience patience
		timeout  time.Duration
	}{
		{"after its timeout", patience{grace: 100 * time.Millisecond, idle: time.Hour}, 100 * time.Millisecond},
		{"without a timeout", patience{idle: 300 * time.Millisecond}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			answers, err := newPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer answers.close()
			if _, err := unix.Write(answers.to, []byte("{")); err != nil {
				t.Fatal(err)
			}
			line, err := test.patience.hear(-1, answers.from, test.timeout, func() error { return nil })
			if !errors.Is(err, errSilent) || string(line) != "{" {
				t.Errorf("%q, %v", line, err)
			}
		})
	}
	if processorTime(os.Getpid()) == "" || processorTime(-1) != "" {
		t.Error("the processor time of this process is not known, or that of no process is")
	}
}

// TestParentsEndHungryChildren copies the process, and the copy takes 64 MiB of its own, 1 MiB after the other. What it shares with its
// parent counts once, so a limit that is too small for both of them as a whole is enough for the copy, until it has taken half of that.
func TestParentsEndHungryChildren(t *testing.T) {
	if !exact.CanFork() {
		t.Skip("this build cannot copy a process")
	}
	defer exact.OneProcessor()()
	const taken = 64 << 20
	ballast := make([]byte, 2*taken)
	touch(ballast)
	for name, test := range map[string]struct {
		room int64
		ends bool
	}{"too much": {taken / 2, true}, "enough": {2 * taken, false}} {
		t.Run(name, func(t *testing.T) {
			var answer string
			signal, err := hungry(t, used(os.Getpid())+test.room, taken, &answer)
			var limit *limits.Error
			switch {
			case test.ends && (!errors.As(err, &limit) || limit.Halt.Reason != trace.HaltMemory || signal != unix.SIGKILL):
				t.Errorf("%v, and the child ended with signal %d", err, signal)
			case test.ends && !strings.HasPrefix(limit.Halt.Message, "the process and its copies use "):
				t.Error(limit.Halt.Message)
			case !test.ends && (err != nil || answer != "done"):
				t.Errorf("%v, the child answered %q", err, answer)
			}
		})
	}
	touch(ballast)
}

// hungry copies the process, lets the copy take memory, and waits for it.
func hungry(t *testing.T, limit, taken int64, answer *string) (signal unix.Signal, err error) {
	t.Helper()
	answers, err := newPipe()
	if err != nil {
		t.Fatal(err)
	}
	own := make([]byte, taken)
	pid, err := exact.Fork()
	if err != nil {
		t.Fatal(err)
	}
	if pid == 0 {
		const piece = 1 << 20
		for rest := own; len(rest) > 0; rest = rest[piece:] {
			touch(rest[:piece])
			_ = unix.Nanosleep(&unix.Timespec{Nsec: 20_000_000}, nil)
		}
		_, _ = unix.Write(answers.to, []byte("done"))
		unix.Exit(0)
	}
	_ = unix.Close(answers.to)
	server := &Server{Limits: limits.Limits{Memory: limit}}
	server.progress = &engine.Progress{}
	line, status, err := server.hear(endless, pid, answers.from, 0)
	*answer = string(line)
	if status.Signaled() {
		signal = status.Signal()
	}
	return signal, err
}

// touch writes to all pages.
func touch(memory []byte) {
	for i := 0; i < len(memory); i += os.Getpagesize() {
		memory[i]++
	}
}

// used is the least limit that a family of one process does not exceed, to a MiB.
func used(pid int) int64 {
	least, most := int64(0), int64(1)<<40
	for most-least > 1<<20 {
		if middle := (least + most) / 2; (limits.Limits{Memory: middle}).Family([]int{pid}, nil) != nil {
			least = middle
		} else {
			most = middle
		}
	}
	return most
}
