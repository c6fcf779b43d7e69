package upgrade

import (
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// SnapshotOptions are when a snapshot is taken, and where it is written to.
type SnapshotOptions struct {
	// Span is when the snapshot is taken, and how long the new scenario runs.
	Span
	// Seed is nil for that of the scenario.
	Seed *int64
	// Futures are values of --future.
	Futures []string
	// Out is the file that is written; "" is standard output.
	Out string
	// Force replaces an existing file.
	Force bool
}

// Snapshot runs a scenario, and writes the scenario that Later makes of it. Upgrade starts the old version with this command. A wrong
// option is a *cli.UsageError, and a file that is in the way an *output.ExistsError.
func Snapshot(streams cli.Streams, file string, options SnapshotOptions) error {
	scenario, err := runner.Open(file)
	if err != nil {
		return err
	}
	if scenario, err = future.Add(scenario, options.Futures); err != nil {
		return err
	}
	rights := output.Rights{Force: options.Force, Private: true}
	if err := output.Check(options.Out, rights); err != nil {
		return err
	}
	if err := options.complete(scenario); err != nil {
		return err
	}
	run := runner.RunOptions{Controllers: cli.Controllers, Seed: options.Seed}
	later, err := Later(scenario, run, *options.At, options.For)
	if err != nil {
		return err
	}
	text, err := later.Encode()
	switch {
	case err != nil:
		return err
	case options.Out != "":
		return output.WriteFile(options.Out, text, rights)
	}
	if _, err := streams.Out.Write(text); err != nil {
		return &output.Error{Name: "standard output", Err: err}
	}
	return nil
}
