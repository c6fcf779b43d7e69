package command

import (
	"fmt"
	"io"

	"github.com/kubestep/kubestep/scenarios/runner"
)

// unmet counts the objects that are stuck or waiting at the end of a run.
func unmet(o *runner.Outcome) string {
	var stuck, waiting int
	for _, u := range o.Unmet {
		if u.Stuck {
			stuck++
		} else {
			waiting++
		}
	}
	text := ""
	if stuck > 0 {
		text += fmt.Sprintf("  stuck %d", stuck)
	}
	if waiting > 0 {
		text += fmt.Sprintf("  waiting %d", waiting)
	}
	return text
}

// printWaiting says what objects wait for at the end of a run. Those that are stuck violate an invariant, whose message
// says so.
func printWaiting(out io.Writer, o *runner.Outcome) {
	for _, u := range o.Unmet {
		if !u.Stuck {
			fmt.Fprintf(out, "\nwaiting  %s: %s\n", u.Object, u.Lack)
		}
	}
}
