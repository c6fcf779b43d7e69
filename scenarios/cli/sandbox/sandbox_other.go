//go:build !linux

package sandbox

import "os/exec"

// Run runs a command and waits for it. Nothing is enforced here but the limits.
func Run(cmd *exec.Cmd, options Options) error {
	prepare(cmd)
	if options.Require {
		return &UnavailableError{Enforced{}.Missing()}
	}
	folder, remove, err := temporary(cmd)
	if err != nil {
		return err
	}
	defer remove()
	if err := cmd.Start(); err != nil {
		return err
	}
	options.Started(Enforced{})
	stop := options.Limits.watch(cmd.Process, folder)
	err = cmd.Wait()
	if limit := stop(); limit != nil {
		return limit
	}
	return err
}

// Seal does nothing here.
func Seal(Limits) error { return nil }

// resident is unknown here: the process counts its memory itself.
func resident(int) int64 { return 0 }
