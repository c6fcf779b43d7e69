package command

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/limits"
	"github.com/kubestep/kubestep/scenarios/output"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/input"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// recordedFlags are the flags of a command that reads a recording.
type recordedFlags struct {
	seed    int64
	seedSet bool
}

// recorded plays a scenario or reads a trace.
func recorded(streams Streams, file, command string, flags recordedFlags) (*recording.Recording, error) {
	if isTrace(file) {
		if flags.seedSet {
			return nil, &UsageError{"--seed needs a scenario; " + file + " is a trace of one run", "kubestep " + command + " " + file}
		}
		rec, err := readTrace(file)
		if err != nil {
			return nil, err
		}
		rec.Name, rec.Seed = file, -1
		return rec, nil
	}
	scenario, err := runner.Open(file)
	if err != nil {
		return nil, err
	}
	return play(streams, scenario, flags)
}

// play runs a scenario. Its checks do not matter here, but what keeps it from being played does.
func play(streams Streams, scenario *format.Scenario, flags recordedFlags) (*recording.Recording, error) {
	seed := scenario.Spec.Seed
	options := runner.RunOptions{Progress: &engine.Progress{}, Controllers: Controllers}
	if flags.seedSet {
		seed, options.Seed = flags.seed, &flags.seed
	}
	builder := recording.NewBuilder()
	options.Sinks = []trace.Sink{builder.Sink}
	bounds := limits.Limits{Memory: limits.DefaultMemoryBytes}
	defer bounds.Guard(options.Progress, func(halt trace.Halt) { os.Exit(printHalt(streams, halt)) })()
	bounds.TuneGarbageCollector()
	defer output.ShowProgress(streams.Err, options.Progress, scenario.Spec.Horizon.Duration)()
	outcome, err := runner.Run(scenario, options)
	if err = cmp.Or(err, builder.Err()); err != nil {
		return nil, err
	}
	origin := recording.Origin{Name: scenario.Metadata.Name, Seed: seed, Ran: true, End: duration(outcome.VirtualSeconds)}
	return builder.Done(origin, outcome.TraceHash), nil
}

// isTrace reports whether a file holds a trace: every record of one begins alike.
func isTrace(path string) bool {
	file, err := input.Open(path)
	if err != nil {
		return input.IsKind(err) && strings.HasSuffix(path, ".jsonl")
	}
	defer file.Close()
	const begin = `{"seq":`
	buffer := make([]byte, len(begin))
	n, _ := file.Read(buffer)
	return bytes.Equal(buffer[:n], []byte(begin)) || strings.HasSuffix(path, ".jsonl")
}

// readTrace makes a recording of a trace file, of which everything must be right.
func readTrace(path string) (*recording.Recording, error) {
	rec, err := recording.ReadFile(path)
	var missing *fs.PathError
	switch {
	case errors.As(err, &missing):
		return nil, inputError(err)
	case err == nil && rec.Cut != "":
		err = errors.New(path + ": " + rec.Cut)
	}
	if err != nil {
		return nil, &UsageError{err.Error(), "a complete trace: kubestep run NAME --trace-out trace.jsonl"}
	}
	return rec, nil
}
