package cli

import (
	"errors"

	"github.com/kubestep/kubestep/controllers"
)

// The exit codes; docs/reference/exit-codes.md describes them.
const (
	ExitOK       = 0
	ExitFailed   = 1
	ExitUsage    = 2
	ExitInternal = 3
	// ExitOutput means that a result exists and could not be written.
	ExitOutput = 4
	// ExitLimit means that a command exceeded a limit of its user (--timeout, --max-memory, those of --untrusted), or that a scenario
	// is more work than its check may be.
	ExitLimit = 5
	// ExitIncomplete means that seeds of a sweep did not run.
	ExitIncomplete = 6
)

// UsageError is a wrong use of the command line, with a hint.
type UsageError struct{ Message, Try string }

// Usage returns a UsageError. try is a command or an argument that is right, without "Try: "; "" if there is no hint.
func Usage(message, try string) error { return &UsageError{message, try} }

// Error implements error.
func (e *UsageError) Error() string { return e.Message }

// ErrChecksFailed ends a command whose report is already printed.
var ErrChecksFailed = errors.New("a check failed")

// Controllers are the controllers of this program, in addition to Kubernetes' own, for every run.
// command.Main sets them, before anything runs.
var Controllers map[string]controllers.Custom
