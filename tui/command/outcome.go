package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// printOutcome ends the report of a run.
func printOutcome(out *bufio.Writer, streams cli.Streams, outcome *runner.Outcome, compared *comparison, flags *runFlags,
	failed *failures, file string, objects func(io.Writer),
) error {
	switch flags.output {
	case "json":
		data, err := json.Marshal(struct {
			*runner.Outcome
			Comparison *comparison `json:"comparison,omitempty"`
		}{outcome, compared})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n", data)
		return nil
	case "jsonl":
		if err := out.Flush(); err != nil {
			return cli.OutputError("", err)
		}
		fmt.Fprintln(streams.Stderr(), outcome.Summary())
		return nil
	}
	failed.print(out, outcome, file, columns(streams.Out, flags.width))
	objects(out)
	if flags.output == "text" {
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, outcome.Summary())
	return nil
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

func compact(seconds float64) string { return duration(seconds).Round(time.Millisecond).String() }
