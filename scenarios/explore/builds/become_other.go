//go:build !unix

package builds

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

// become runs another program with the streams of this one, and ends with its exit code. Ctrl-C reaches both; the other
// program decides.
func become(path string, args []string) error {
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("starting %s: %w", path, err)
	}
	os.Exit(cmd.ProcessState.ExitCode())
	return nil
}
