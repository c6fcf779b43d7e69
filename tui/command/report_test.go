package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/engine"
)

// TestReport maps each kind of error to its exit code, also when another error wraps it, and prints it unless it
// is printed already.
func TestReport(t *testing.T) {
	positioned := &source.Error{File: "a.yaml", Path: "spec.seed", Message: "wrong", Try: "7"}
	for _, c := range []struct {
		name string
		err  error
		code int
		// errors and hints are how many lines begin with Error: and Try:.
		errors, hints int
		contains      string
	}{
		{"nothing", nil, cli.ExitOK, 0, 0, ""},
		{"a failed check is part of the report", cli.ErrChecksFailed, cli.ExitFailed, 0, 0, ""},
		{"the exit code of another process", exitError(cli.ExitInternal), 3, 0, 0, ""},
		{"interrupted", &interrupt.Error{Signal: os.Interrupt}, 130, 0, 0, ""},
		{"usage", cli.Usage("wrong", "right"), cli.ExitUsage, 1, 1, "Error: wrong\nTry: right\n"},
		{"usage without a hint", cli.Usage("wrong", ""), cli.ExitUsage, 1, 0, "Error: wrong\n"},
		{"a mistake in a file", positioned, cli.ExitUsage, 1, 1, "spec.seed: wrong\nTry: 7\n"},
		{"all mistakes in a file", source.ErrorList{positioned, positioned, positioned}, cli.ExitUsage, 3, 3, ""},
		{"cobra's own", errors.New(`unknown command "x" for "kubestep"`), cli.ExitUsage, 1, 1, "Try: kubestep --help\n"},
		{"a panic", &engine.PanicError{Value: "boom", Stack: []byte("the stack")}, cli.ExitInternal, 1, 1, "\nthe stack\n"},
		{"a controller's panic", &controllers.Error{Stack: []byte("the stack")}, cli.ExitInternal, 1, 1, "\nthe stack\n"},
		{"a controller that cannot run", &controllers.Error{Controller: "mine", Problem: "does not start", Try: "another"}, cli.ExitInternal, 1, 1,
			"\nError: controller mine does not start\nTry: another\n"},
		{"a file to read", cli.InputError(&fs.PathError{Op: "open", Path: "in", Err: fs.ErrPermission}), cli.ExitUsage, 1, 1, "Error: in: permission denied\n"},
		{"a file to write", cli.OutputError("", &fs.PathError{Op: "open", Path: "out", Err: fs.ErrPermission}), cli.ExitOutput, 1, 1,
			"Error: cannot write out: permission denied\nTry: a destination that you may write to\n"},
		{"a full disk", cli.OutputError("out", &fs.PathError{Op: "write", Path: ".out.7", Err: syscall.ENOSPC}), cli.ExitOutput, 1, 1,
			"Error: cannot write out: no space left on device\nTry: free space, or another destination\n"},
		{"too many open files", cli.OutputError("out", &fs.PathError{Op: "open", Path: ".out.7", Err: syscall.EMFILE}), cli.ExitOutput, 1, 1,
			"Try: fewer --workers, or more open files: ulimit -n 1024\n"},
		{"anything else is our bug", context.DeadlineExceeded, cli.ExitInternal, 1, 1, "Try: report this"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, err := range []error{c.err, fmt.Errorf("wrapped: %w", c.err)} {
				if c.err == nil || strings.HasPrefix(c.name, "cobra") {
					err = c.err
				}
				var out bytes.Buffer
				if code := report(err, &out); code != c.code {
					t.Errorf("exit code %d, want %d", code, c.code)
				}
				text := "\n" + out.String()
				if n := strings.Count(text, "\nError: "); n != c.errors {
					t.Errorf("%d errors, want %d:%s", n, c.errors, text)
				}
				if n := strings.Count(text, "\nTry: "); n != c.hints {
					t.Errorf("%d hints, want %d:%s", n, c.hints, text)
				}
				if !strings.Contains(text, c.contains) {
					t.Errorf("%q is not in:%s", c.contains, text)
				}
			}
		})
	}
}
