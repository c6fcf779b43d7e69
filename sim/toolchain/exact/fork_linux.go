//go:build kubestep_exact && linux && (amd64 || arm64)

package exact

import (
	"os"
	"syscall"
	_ "unsafe" // for linkname

	"golang.org/x/sys/unix"
)

const canFork = true

// fork is defined by the runtime that package overlay creates.
//
//go:linkname fork
func fork() int

func forkProcess() (int, error) {
	parent := os.Getpid()
	pid := fork()
	if pid < 0 {
		return 0, os.NewSyscallError("clone", syscall.Errno(-pid))
	}
	if pid == 0 {
		if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil || unix.Getppid() != parent {
			os.Exit(1)
		}
	}
	return pid, nil
}
