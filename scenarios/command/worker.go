package command

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// newWorker is the command that explore and shrink start their processes with; nobody types it.
func newWorker(streams Streams) *cobra.Command {
	maxMemory := defaultMemory
	cmd := &cobra.Command{
		Use: child.WorkerCommand, Short: "Make the runs that standard input asks for", Hidden: true, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			memory, err := parseMemory(maxMemory)
			if err != nil {
				return err
			}
			// Ctrl-C reaches all processes of a terminal; the one that started this one decides.
			signal.Ignore(os.Interrupt)
			tuneGarbageCollector()
			w := &worker{out: streams.Out, memory: memory}
			return w.serve(streams.In)
		},
	}
	cmd.Flags().StringVar(&maxMemory, "max-memory", maxMemory, "as that of run")
	return cmd
}

// worker makes one run after the other.
type worker struct {
	memory int64

	mu  sync.Mutex
	out io.Writer

	// scenario is the one of file, which mostly is that of the last job.
	file     string
	scenario *scenarios.Scenario
}

// serve answers jobs until there are no more.
func (w *worker) serve(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		var job child.Job
		if err := json.Unmarshal(line, &job); err != nil {
			return err
		}
		report, err := w.run(job)
		if err != nil {
			return err
		}
		if err := w.answer(report); err != nil {
			return err
		}
	}
}

// answer writes a report; a world that freezes is reported from another goroutine.
func (w *worker) answer(report *child.Report) error {
	line, err := json.Marshal(report)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.out.Write(append(line, '\n'))
	return err
}

func (w *worker) run(job child.Job) (*child.Report, error) {
	if w.file != job.File {
		scenario, err := Open(job.File)
		if err != nil {
			return wrong(job.Seed, err)
		}
		if err := scenarios.Validate(scenario, slices.Sorted(maps.Keys(Controllers))...); err != nil {
			return wrong(job.Seed, err)
		}
		w.file, w.scenario = job.File, scenario
	}
	reporter := child.NewReporter(job.Seed, w.scenario)
	options := scenarios.RunOptions{
		Seed: &job.Seed, Progress: &engine.Progress{}, Controllers: Controllers, Sinks: []trace.Sink{reporter.Note},
		Validated: true,
	}
	defer guard(options.Progress, w.memory, func(halt trace.Halt, _ string) {
		_ = w.answer(child.NewReporter(job.Seed, w.scenario).Halted(&halt))
		os.Exit(ExitInternal)
	})()
	outcome, err := scenarios.Run(w.scenario, options)
	switch halt := haltOf(err); {
	case halt != nil:
		return reporter.Halted(halt), nil
	case err != nil:
		return wrong(job.Seed, err)
	}
	return reporter.End(outcome), nil
}

// wrong is the report of a scenario that cannot be played; any other error is the worker's end.
func wrong(seed int64, err error) (*child.Report, error) {
	var list scenarios.ErrorList
	var positioned *scenarios.Error
	switch {
	case errors.As(err, &list):
		positioned = list[0]
	case !errors.As(err, &positioned):
		return nil, err
	}
	return &child.Report{
		Seed: seed, Result: scenarios.Fault, Wrong: true, Message: positioned.Error(), Try: positioned.Try,
		Failures: []child.Failure{{Name: "scenario", Message: positioned.Error()}},
	}, nil
}
