package expr

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// TestScripts runs the scripts in testdata. Each line under a command is one condition, and each line of
// the output is what became of it:
//
//	world     adds the objects of the YAML below, and says how many
//	trace     adds records, one line of JSON each
//	now       sets the virtual time
//	eval      true, false, or the error; "not found:" marks a NotFoundError
//	explain   the answer and why
//	compile   ok, or the mistake
func TestScripts(t *testing.T) {
	env := testEnv(t)
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if strings.Contains(path, "/fuzz") {
			return
		}
		w := newWorld()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "world":
				n, err := w.apply(d.Input)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				return fmt.Sprintf("%d objects\n", n)
			case "trace":
				if err := w.record(d.Input); err != nil {
					d.Fatalf(t, "%v", err)
				}
				return fmt.Sprintf("%d records\n", len(w.records))
			case "now":
				now, err := time.ParseDuration(d.Input)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				w.now = now
				return ""
			case "eval", "explain", "compile":
				var out strings.Builder
				for _, line := range strings.Split(d.Input, "\n") {
					out.WriteString(outcome(env, w, d.Cmd, line) + "\n")
				}
				return out.String()
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
	})
}

// outcome is one line of output for one condition.
func outcome(env *Env, w World, command, text string) string {
	condition, err := env.Compile(text)
	if err != nil {
		return "mistake: " + err.Error()
	}
	if command == "compile" {
		return "ok"
	}
	look := condition.Eval
	if command == "explain" {
		look = condition.Explain
	}
	result, err := look(w)
	var missing *NotFoundError
	switch {
	case errors.As(err, &missing):
		return "not found: " + err.Error()
	case err != nil:
		return "error: " + err.Error()
	case command == "explain":
		return fmt.Sprintf("%v: %s", result.True, result.Explanation)
	}
	return fmt.Sprint(result.True)
}
