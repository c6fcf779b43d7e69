//go:build unix && !solaris && !illumos && !aix

package sweep

import (
	"os"
	"syscall"
)

// lock makes a file the process's own until it is closed, or returns an error if it is another's.
func lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
