//go:build unix

package output

import "syscall"

// notThroughLinks makes the opening of a link fail.
const notThroughLinks = syscall.O_NOFOLLOW

// nonblocking makes the opening of a named pipe without a reader fail.
const nonblocking = syscall.O_NONBLOCK
