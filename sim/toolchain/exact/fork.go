package exact

import "errors"

// ErrNoFork is returned by Fork where a process cannot be copied.
var ErrNoFork = errors.New("only the exact build for Linux, on amd64 and arm64, can copy a running process")

// CanFork reports whether this build can copy a running process.
func CanFork() bool { return canFork }

// Fork copies the process as it is now, copy on write. It returns the process ID of the child in the parent, and 0 in the child, which
// has the calling goroutine and every goroutine that waits, but no other thread: a goroutine that is in a system call stays there forever,
// and so does one that waits for a file or a connection which was open before. What the process shares with the child are its open files.
//
// The child dies when the parent does. It should write what it has found to a pipe, and exit without the functions that its parent calls
// when it ends.
func Fork() (pid int, err error) { return forkProcess() }
