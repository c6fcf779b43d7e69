package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// recording is what explanations are made from, of a run or of a trace file.
type recording struct {
	// name is that of the scenario or the file, seed the run's; -1 if a file does not tell it.
	name string
	seed int64

	replay  *trace.Replay
	history *explain.History
	// causes are the causes of requests, kinds what the other records are about.
	causes map[int64]int64
	kinds  map[int64]trace.Kind
	// syncs are the starts of the Deployment controller's syncs, in order.
	syncs []int64
	// written is when the newest version of a Deployment was written.
	written map[trace.Object]time.Duration
	err     error
}

func newRecording() *recording {
	replay := trace.NewReplay()
	return &recording{
		seed: -1, replay: replay, history: explain.NewHistoryOf(replay),
		causes: map[int64]int64{}, kinds: map[int64]trace.Kind{}, written: map[trace.Object]time.Duration{},
	}
}

// deployments is the resource as the trace names it.
const deployments = "deployments.apps"

func (r *recording) add(record *trace.Record) error {
	if err := r.replay.Apply(record); err != nil {
		return err
	}
	if err := r.history.Add(record); err != nil {
		return err
	}
	r.kinds[record.Seq] = record.Kind
	switch {
	case record.Request != nil:
		r.causes[record.Seq] = record.Cause
		for i := range record.Request.Writes {
			if w := &record.Request.Writes[i]; w.Resource == deployments && w.Op != trace.OpDelete {
				r.written[w.Object] = record.At
			}
		}
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		if name, _ := trace.SplitActor(record.Actor); name == names.DeploymentController {
			r.syncs = append(r.syncs, record.Seq)
		}
	}
	return nil
}

// play runs a scenario. Its checks do not matter here, but what keeps it from being played does.
func (r *recording) play(streams Streams, scenario *scenarios.Scenario, flags *explainFlags) error {
	r.name, r.seed = scenario.Metadata.Name, scenario.Spec.Seed
	options := scenarios.RunOptions{Progress: &engine.Progress{}, Controllers: Controllers}
	if flags.seedSet {
		r.seed, options.Seed = flags.seed, &flags.seed
	}
	options.Sinks = []trace.Sink{func(record *trace.Record, _ []byte) {
		if r.err == nil {
			r.err = r.add(record)
		}
	}}
	stop := engine.Watch(options.Progress, frozenLimit, func(frozen *engine.FrozenError) {
		printError(streams.Err, "internal fault: "+frozen.Error(), reportBug)
		fmt.Fprintf(streams.Err, "\n%s\n", frozen.Stuck)
		os.Exit(ExitInternal)
	})
	defer stop()
	tuneGarbageCollector()
	defer showProgress(streams.Err, options.Progress, scenario.Spec.Horizon.Duration)()
	if _, err := scenarios.Run(scenario, options); err != nil {
		return err
	}
	return r.err
}

// isTrace says whether a file holds a trace: every record of one begins alike.
func isTrace(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	const begin = `{"seq":`
	buffer := make([]byte, len(begin))
	n, _ := file.Read(buffer)
	return bytes.Equal(buffer[:n], []byte(begin)) || strings.HasSuffix(path, ".jsonl")
}

// read reads a trace file.
func (r *recording) read(path string) error {
	r.name = path
	file, err := os.Open(path)
	if err != nil {
		return fileError(err)
	}
	defer file.Close()
	for record, err := range trace.ReadJSONL(file) {
		if err == nil {
			err = r.add(record)
		}
		if err != nil {
			return r.unreadable(err)
		}
	}
	if len(r.kinds) == 0 {
		return r.unreadable(errors.New("it holds no record"))
	}
	return nil
}

func (r *recording) unreadable(err error) error {
	return &UsageError{r.name + ": " + err.Error(), "a whole trace: kubestep run NAME --trace-out trace.jsonl"}
}

// explained are the explanations of the syncs that changed something, or of all of them.
func (r *recording) explained(all bool) []explain.Explanation {
	list := []explain.Explanation{}
	for _, seq := range r.syncs {
		if e, ok := r.history.Explain(seq); ok && (all || len(e.Effects) > 0) {
			list = append(list, e)
		}
	}
	return list
}

// tryTable is the hint where a sync is not found.
const tryTable = "--sync with a TIME or a RECORD of the table"

// find explains the sync of a time, or of a record: its start, its end, or one of its requests.
func (r *recording) find(sync string) (*explain.Explanation, error) {
	if strings.HasSuffix(sync, "s") {
		return r.findTime(sync)
	}
	seq, err := strconv.ParseInt(sync, 10, 64)
	if err != nil {
		return nil, &UsageError{fmt.Sprintf("--sync %q is neither a record nor a time", sync), tryTable}
	}
	for _, candidate := range []int64{seq, r.causes[seq]} {
		if e, ok := r.history.Explain(candidate); ok {
			return &e, nil
		}
	}
	kind, ok := r.kinds[seq]
	message := fmt.Sprintf("record %d is no sync of the Deployment controller, but of the kind %q", seq, kind)
	if !ok {
		message = fmt.Sprintf("there is no record %d; the last one is %d", seq, len(r.kinds))
	}
	return nil, &UsageError{message, tryTable}
}

// findTime takes the first of the syncs that began at a time, in the digits of the table, and rather one that
// changed something.
func (r *recording) findTime(at string) (*explain.Explanation, error) {
	var found *explain.Explanation
	for _, e := range r.explained(true) {
		if trace.Seconds(e.At) == at && (found == nil || len(found.Effects) == 0 && len(e.Effects) > 0) {
			found = &e
		}
	}
	if found == nil {
		return nil, &UsageError{"no sync of the Deployment controller began at " + at, tryTable}
	}
	return found, nil
}
