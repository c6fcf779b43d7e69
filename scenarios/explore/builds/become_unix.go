//go:build unix

package builds

import (
	"fmt"
	"os"
	"syscall"
)

// become replaces this program by another one in the same process: streams, terminal, signals and exit code are its own.
func become(path string, args []string) error {
	if err := syscall.Exec(path, append([]string{path}, args...), os.Environ()); err != nil {
		return fmt.Errorf("starting %s: %w", path, err)
	}
	return nil
}
