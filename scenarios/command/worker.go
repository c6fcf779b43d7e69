package command

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/limits"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verb"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// newWorker is the command that explore and shrink start their processes with; nobody types it.
func newWorker(streams Streams) *cobra.Command {
	maxMemory := limits.DefaultMemory
	cmd := &cobra.Command{
		Use: child.WorkerCommand, Short: "Make the runs that standard input asks for", Hidden: true, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			memory, err := parseMemory(maxMemory)
			if err != nil {
				return err
			}
			// Ctrl-C reaches all processes of a terminal; the one that started this one decides.
			signal.Ignore(os.Interrupt)
			w := &worker{out: streams.Out, limits: limits.Limits{Memory: memory}}
			w.limits.TuneGarbageCollector()
			return w.serve(streams.In)
		},
	}
	cmd.Flags().StringVar(&maxMemory, "max-memory", maxMemory, "abort a run when its process exceeds this `SIZE`, as in kubestep run")
	return cmd
}

// worker makes one run after the other.
type worker struct {
	limits limits.Limits

	mu  sync.Mutex
	out io.Writer

	// scenario is that of the last job, and mostly of the next one, too.
	file, text string
	scenario   *format.Scenario
	plan       *runner.Plan
}

// read opens the scenario of a job.
func read(job child.Job) (scenario *format.Scenario, plan *runner.Plan, err error) {
	if job.Text != "" {
		scenario, err = format.Parse(job.File, []byte(job.Text), verb.All)
	} else {
		scenario, err = runner.Open(job.File)
	}
	if err == nil {
		plan, err = runner.Prepare(scenario, slices.Sorted(maps.Keys(Controllers))...)
	}
	return scenario, plan, err
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

// answer writes a report; a simulation that freezes is reported from another goroutine.
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
	if w.scenario == nil || w.file != job.File || w.text != job.Text {
		scenario, plan, err := read(job)
		if err != nil {
			return child.Wrong(job.Seed, err)
		}
		w.file, w.text, w.scenario, w.plan = job.File, job.Text, scenario, plan
	}
	reporter := child.NewReporter(job.Seed, w.scenario)
	options := runner.RunOptions{
		Seed: &job.Seed, Progress: &engine.Progress{}, Controllers: Controllers, Sinks: []trace.Sink{reporter.Note},
	}
	defer w.limits.Guard(options.Progress, func(halt trace.Halt) {
		_ = w.answer(child.NewReporter(job.Seed, w.scenario).Halted(&halt))
		os.Exit(ExitInternal)
	})()
	outcome, err := w.plan.Run(options)
	switch halt := child.HaltOf(err); {
	case halt != nil:
		return reporter.Halted(halt), nil
	case err != nil:
		return child.Wrong(job.Seed, err)
	}
	return reporter.End(outcome), nil
}
