package sandbox

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// Seal is what the process in the sandbox does first, before it reads anything that is not trusted: it gives up to start programs and
// processes, and to signal others, and limits what the kernel gives it. These limits are wider than those of the command line,
// which have better words: they are for a process that does not obey them any more.
func Seal(l Limits) error {
	for _, limit := range rlimits(l) {
		var now unix.Rlimit
		if err := unix.Getrlimit(limit.resource, &now); err != nil {
			return fmt.Errorf("the limit of %s: %w", limit.name, err)
		}
		want := min(limit.value, now.Max)
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: want, Max: want}); err != nil {
			return fmt.Errorf("the limit of %s: %w", limit.name, err)
		}
	}
	if err := sealCalls(); err != nil {
		return fmt.Errorf("the filter of system calls: %w", err)
	}
	return nil
}

// rlimit is a limit of the kernel.
type rlimit struct {
	name     string
	resource int
	value    uint64
}

// What no run needs: Go itself opens a few files, and a trace of a million records has less than a GiB.
const (
	filesMax    = 256
	fileSizeMax = 16 << 30
)

func rlimits(l Limits) []rlimit {
	list := []rlimit{
		{"core files", unix.RLIMIT_CORE, 0}, {"open files", unix.RLIMIT_NOFILE, filesMax},
		{"the size of files", unix.RLIMIT_FSIZE, fileSizeMax},
		{"locked memory", unix.RLIMIT_MEMLOCK, 0}, {"message queues", unix.RLIMIT_MSGQUEUE, 0},
	}
	if l.Memory > 0 {
		// Go reserves far more addresses than it uses, so the size of the address space says nothing.
		list = append(list, rlimit{"memory", unix.RLIMIT_DATA, uint64(2*l.Memory + 1<<30)})
	}
	if l.Timeout > 0 {
		// One processor runs the simulation, others collect garbage.
		list = append(list, rlimit{"processor time", unix.RLIMIT_CPU, uint64(4*(l.Timeout+grace)/time.Second) + 1})
	}
	return list
}
