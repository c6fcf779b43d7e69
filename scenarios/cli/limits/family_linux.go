package limits

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// Family returns why a family must end: a process and the copies of it, which need more memory together than one run may. It is nil if they
// do not. A page that several of them have counts once. progress is that of the run which all of them make.
func (l Limits) Family(pids []int, progress *engine.Progress) *trace.Halt {
	// To sum up shares, the system looks at every page, so that is done only if it can matter.
	if l.Memory == 0 || sum(pids, resident) <= l.Memory {
		return nil
	}
	used := sum(pids, proportional)
	if used <= l.Memory {
		return nil
	}
	halt := memoryHalt("the process and its copies use", used, l.Memory, progress)
	return &halt
}

func sum(pids []int, of func(pid int) int64) (bytes int64) {
	for _, pid := range pids {
		bytes += of(pid)
	}
	return bytes
}

// resident is the memory that a process has in whole pages, 0 if nobody knows: the second field of statm.
func resident(pid int) int64 {
	fields := bytes.Fields(Proc(pid, "statm"))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}

// proportional is the memory that a process has, of which each page counts in parts if several processes have it (PSS), without the pages
// of files, such as the program. It is 0 if nobody knows. The line in smaps_rollup is Pss_Anon: 12345 kB.
func proportional(pid int) int64 {
	for line := range bytes.Lines(Proc(pid, "smaps_rollup")) {
		if fields := bytes.Fields(line); len(fields) > 1 && string(fields[0]) == "Pss_Anon:" {
			kibibytes, _ := strconv.ParseInt(string(fields[1]), 10, 64)
			return kibibytes << 10
		}
	}
	return 0
}

// Proc is what proc(5) says of a process in a file of a few lines; nil if there is none. It involves no goroutine and no timer of Go, so it
// may be called within a bubble.
func Proc(pid int, name string) []byte {
	file, err := unix.Open(filepath.Join("/proc", strconv.Itoa(pid), name), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(file)
	buffer := make([]byte, 4096)
	n, _ := unix.Read(file, buffer)
	return buffer[:max(n, 0)]
}
