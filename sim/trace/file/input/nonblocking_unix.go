//go:build unix

package input

import "syscall"

// nonblocking makes the opening of a named pipe return, should somebody put one into the place of a file that is being opened.
const nonblocking = syscall.O_NONBLOCK
