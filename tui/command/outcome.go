package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// printOutcome ends the report of a run.
func (r *oneRun) printOutcome(outcome *runner.Outcome, compared *comparison) error {
	out := r.to.out
	switch r.flags.output {
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
		fmt.Fprintln(r.streams.Stderr(), outcome.Summary())
		return nil
	}
	r.to.failed.print(out, outcome, r.again(), columns(r.streams.Out, r.flags.width), r.whyAt(outcome))
	compared.print(out, r.difference(outcome.Seed))
	outcome.PrintUnmet(out, r.why(outcome))
	printResolved(out, r.file, outcome)
	if r.flags.output == "text" {
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, outcome.Summary())
	return nil
}

// again are the arguments that make the same run again, but for the seed.
func (r *oneRun) again() string {
	file := r.file
	for _, word := range slices.Concat(r.flags.addedFaults.args(), future.Args(r.flags.futures), r.flags.choices.args()) {
		file += " " + cli.ShellWord(word)
	}
	return file
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

func compact(seconds float64) string { return duration(seconds).Round(time.Millisecond).String() }
