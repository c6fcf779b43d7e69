//go:build unix

package output

import "syscall"

// notThroughLinks makes the opening of a link fail.
const notThroughLinks = syscall.O_NOFOLLOW
