package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Limits are those of a process in the sandbox; 0 means no limit. The process keeps them itself, and says so in its own words; Run ends
// one that does not.
type Limits struct {
	// Timeout is real time, and Memory is in bytes.
	Timeout time.Duration
	Memory  int64
}

// Options say how a process is started.
type Options struct {
	Limits Limits
	// Require refuses to start a process that is not kept from everything that it could be kept from on a recent Linux.
	Require bool
	// Started is called as soon as the process runs.
	Started func(Enforced)
}

// UnavailableError means that the system lacks a part of the sandbox that is required.
type UnavailableError struct{ Missing string }

// Error implements error.
func (e *UnavailableError) Error() string {
	return "this system cannot keep a process from " + e.Missing
}

// LimitError is a process that Run ended, because it did not end by itself.
type LimitError struct{ Message, Flag string }

// Error implements error.
func (e *LimitError) Error() string { return e.Message }

const (
	// grace is for how long a process may finish its output after its timeout.
	grace = 2 * time.Second
	// lookEvery is how often Run looks at the memory of a process.
	lookEvery = 100 * time.Millisecond
)

// ceiling is the resident memory at which Run ends a process: the process counts what Go holds, and misses what it is made of.
func (l Limits) ceiling() int64 { return l.Memory + l.Memory/4 + 128<<20 }

// watch ends a process that exceeds a limit. The result of stop is a *LimitError if it did.
func (l Limits) watch(process *os.Process, folder string) (stop func() error) {
	done, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- l.wait(process, folder, done) }()
	return func() error {
		close(done)
		return <-ended
	}
}

func (l Limits) wait(process *os.Process, folder string, done <-chan struct{}) error {
	var late <-chan time.Time
	if l.Timeout > 0 {
		timer := time.NewTimer(l.Timeout + grace)
		defer timer.Stop()
		late = timer.C
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		var limit *LimitError
		select {
		case <-done:
			return nil
		case <-late:
			limit = &LimitError{fmt.Sprintf("the run takes longer than %s of real time, and did not end by itself", l.Timeout), "--timeout"}
		case <-tick.C:
			if used := resident(process.Pid); l.Memory > 0 && used > l.ceiling() {
				held, allowed := resource.NewQuantity(used>>20<<20, resource.BinarySI), resource.NewQuantity(l.Memory, resource.BinarySI)
				text := fmt.Sprintf("the process uses %s of memory, more than the limit of %s, and did not end by itself", held, allowed)
				limit = &LimitError{text, "--max-memory"}
			} else if kept := size(folder); l.Memory > 0 && kept > l.Memory {
				allowed := resource.NewQuantity(l.Memory, resource.BinarySI)
				text := fmt.Sprintf("the files of containers need more than the limit of %s", allowed)
				limit = &LimitError{text, "--max-memory"}
			}
		}
		if limit != nil {
			if err := process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
				return err
			}
			<-done
			return limit
		}
	}
}

// passed are the variables of the environment that a process in the sandbox gets: those of the Go runtime, and what terminals show.
var passed = []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG", "GOTRACEBACK", "TERM", "NO_COLOR", "COLORFGBG"}

// Environment is what a process in the sandbox gets of the environment of this one. Others may hold secrets.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return !slices.Contains(passed, name)
	})
}

// prepare gives a command an environment of its own.
func prepare(cmd *exec.Cmd) {
	if cmd.Env == nil {
		cmd.Env = Environment()
	}
}
