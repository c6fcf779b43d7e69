package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/limits"
	"github.com/kubestep/kubestep/scenarios/output"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/input"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// explained is a recording with the syncs of the Deployment controller in it.
type explained struct {
	*recording.Recording
	// syncs are the starts of the Deployment controller's syncs, in order.
	syncs []int64
}

// deployments is the resource as the trace names it.
const deployments = "deployments.apps"

func newExplained(rec *recording.Recording) *explained {
	x := &explained{Recording: rec}
	for _, record := range rec.Records {
		name, _ := trace.SplitActor(record.Actor)
		if record.Sync != nil && record.Sync.Phase == trace.PhaseStart && name == names.DeploymentController {
			x.syncs = append(x.syncs, record.Seq)
		}
	}
	return x
}

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
	origin := recording.Origin{Name: scenario.Metadata.Name, Seed: seed, Ran: true}
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

// explanations are those of the syncs that changed something, or of all of them.
func (x *explained) explanations(all bool) []explain.Explanation {
	list := []explain.Explanation{}
	for _, seq := range x.syncs {
		if e := explain.At(x.Recording, seq); e != nil && (all || len(e.Effects) > 0) {
			list = append(list, *e)
		}
	}
	return list
}

// tryTable is the hint where a sync is not found.
const tryTable = "--sync with a TIME or a RECORD of the table"

// find explains the sync of a time, or of a record: its start, its end, or one of its requests.
func (x *explained) find(sync string) (*explain.Explanation, error) {
	if _, err := time.ParseDuration(sync); err == nil && sync != "0" {
		return x.findTime(sync)
	}
	seq, err := strconv.ParseInt(sync, 10, 64)
	if err != nil {
		return nil, &UsageError{fmt.Sprintf("--sync %q is not a record or a time", sync), tryTable}
	}
	if e := explain.At(x.Recording, seq); e != nil {
		return e, nil
	}
	message := fmt.Sprintf("there is no record %d; the last one is %d", seq, x.Len())
	if record := x.Record(seq); record != nil {
		message = fmt.Sprintf("record %d is not a sync of the Deployment controller; its kind is %q", seq, record.Kind)
	}
	return nil, &UsageError{message, tryTable}
}

// findTime takes the first of the syncs that began at a time, in the digits of the table, and rather one that
// changed something.
func (x *explained) findTime(at string) (*explain.Explanation, error) {
	var found *explain.Explanation
	for _, e := range x.explanations(true) {
		if trace.Seconds(e.At) == at && (found == nil || len(found.Effects) == 0 && len(e.Effects) > 0) {
			found = &e
		}
	}
	if found == nil {
		return nil, &UsageError{"no sync of the Deployment controller started at " + at, tryTable}
	}
	return found, nil
}
