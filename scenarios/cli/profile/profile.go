// Package profile writes how the processes of a command use the processor, for go tool pprof.
//
// A command has several processes: a sweep has a worker for each core, and open runs a scenario in a process of its own. Each writes a
// profile. It finds the directory in an environment variable, which the first process sets; a process in a sandbox has neither. A copy of a
// process (exact.Fork) has no profile, since the kernel does not copy the timer.
//
// The samples have the labels of the goroutines, so -tagfocus=actor=kubelet narrows a profile to what one component does.
package profile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"sync"

	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
)

// variable tells the processes that this one starts where their profiles go.
const variable = "KUBESTEP_PROFILE"

// Directory is where this process writes its profile to if it was started by one that has a profile; empty if it was not.
func Directory() string { return os.Getenv(variable) }

// Start writes a CPU profile of this process, and of those that it starts from now on, to a directory, which is made if there is none. The
// profile is complete when stop is called, or when the process ends otherwise (interrupt.Exit). The errors are those of package output.
func Start(dir string) (stop func() error, err error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, &output.Error{Name: dir, Err: err}
	}
	if err := output.Folder(absolute); err != nil {
		return nil, err
	}
	name := filepath.Join(absolute, strconv.Itoa(os.Getpid())+".pprof")
	file, err := output.Create(name, output.Rights{Instead: "another directory"})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.Setenv(variable, absolute), pprof.StartCPUProfile(file.Writer())); err != nil {
		file.Discard()
		return nil, &output.Error{Name: name, Err: err}
	}
	end := sync.OnceValue(func() error {
		pprof.StopCPUProfile()
		defer file.Discard()
		return file.Commit()
	})
	forget := interrupt.AtExit(func() { _ = end() })
	return func() error {
		forget()
		return end()
	}, nil
}
