package command

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/cli/sandbox"
	"github.com/kubestep/kubestep/scenarios/cli/version"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/explore/keyframe"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// oneRun is the run of one scenario in this process.
type oneRun struct {
	streams  cli.Streams
	file     string
	flags    *runFlags
	scenario *format.Scenario

	to       *outputs
	traceOut *output.Trace
	options  runner.RunOptions
	once     sync.Once
	// drawn are the faults that are added to those of the scenario.
	drawn []format.FaultRule
	// unguard ends the watch over the run, which those that it is compared with do not need.
	unguard func()
	// comparer compares the run with others; nil without --compare.
	comparer *comparer
}

// runOne runs one scenario in this process.
func runOne(streams cli.Streams, file string, flags *runFlags) error {
	open, createTrace := runner.Open, createTrace
	if flags.sealed != "" {
		if err := sandbox.Seal(flags.Sandbox()); err != nil {
			return err
		}
		open = func(name string) (*format.Scenario, error) { return openSealed(streams, name) }
		createTrace = func(path string, _ output.Rights) (*output.Trace, error) { return sealedTrace(path) }
	}
	scenario, err := open(file)
	if err != nil {
		return err
	}
	if scenario, err = future.Add(scenario, flags.futures); err != nil {
		return err
	}
	if flags.output != "stream" {
		printDumped(streams, file)
	}
	r := &oneRun{streams: streams, file: file, flags: flags, scenario: scenario, to: newOutputs(streams, flags)}
	defer r.to.flush()
	if r.traceOut, err = createTrace(flags.traceOut, flags.traceRights(scenario.Source())); err != nil {
		return err
	}
	defer r.traceOut.Discard()
	r.options = runner.RunOptions{
		Progress: &engine.Progress{}, Controllers: cli.Controllers, ShowSecrets: flags.showSecrets,
	}
	if r.options.WithoutFaults, err = flags.withoutFaults.choose(file, scenario); err != nil {
		return err
	}
	if err = flags.chooseCompared(file, scenario); err != nil {
		return err
	}
	r.options.CheckWork = flags.CheckWork()
	if flags.seedSet {
		r.options.Seed = &flags.seed
	}
	r.options.Order, r.options.Sinks = r.flags.choices.order, r.to.sinks
	if flags.traceOut != "" {
		r.options.Sinks = append(r.options.Sinks, r.traceOut.Write)
	}
	if flags.Limits.Records > 0 {
		r.options.Sinks = append(r.options.Sinks, flags.Limits.Counted(r.options.Progress, r.abort))
	}
	r.unguard = sync.OnceFunc(flags.Limits.Guard(r.options.Progress, r.abort))
	defer r.unguard()
	if flags.output == "stream" {
		defer r.to.stream.Follow(output.StreamEvery)()
		r.makeKeyframes()
	}
	flags.Limits.TuneGarbageCollector()
	return r.run()
}

// makeKeyframes lets the run have keyframes, if somebody wants them. A process that shares files with others, or has a trace of its own to
// write, has none.
func (r *oneRun) makeKeyframes() {
	host := &keyframe.Host{Path: r.scenario.Path(), Progress: r.options.Progress, Between: r.to.stream.Between}
	alone := len(cli.Controllers) == 0 && !r.scenario.RunsKubelets() && r.flags.traceOut == "" && r.flags.sealed == ""
	if alone && r.options.WithoutFaults == nil && host.Start() {
		r.options.Become = host.Become
	}
}

// run makes the run and tells how it ended.
func (r *oneRun) run() error {
	erase := func() {}
	if r.to.text == nil || columns(r.streams.Out, widthOfTerminal) == 0 {
		erase = output.ShowProgress(r.streams.Err, r.options.Progress, r.scenario.Spec.Horizon.Duration)
	}
	outcome, err := r.play()
	erase()
	r.to.close()
	if halt, _ := child.HaltOf(err); halt != nil {
		if r.flags.streams() {
			r.to.stream.Halt(*halt)
		}
		r.keep(*halt)
	}
	if outcome == nil {
		return err
	}
	compared, endErr := r.compareAndCommit(outcome, err)
	if endErr != nil {
		return endErr
	}
	if endErr = r.conclude(outcome, compared); endErr != nil {
		return endErr
	}
	switch {
	case err != nil:
		return err
	case outcome.Result != runner.Pass:
		return cli.ErrChecksFailed
	}
	return nil
}

// compareAndCommit compares a run that came to its end with others, and completes its file, which has the verdict.
func (r *oneRun) compareAndCommit(outcome *runner.Outcome, ended error) (compared *comparison, err error) {
	if ended != nil {
		return nil, nil
	}
	if r.comparer != nil && outcome.Result != runner.Fault {
		r.unguard()
		if compared, err = r.comparer.compare(outcome); err == nil && compared.Verdict == runner.Diverged {
			outcome.Result = runner.Diverged
		}
	}
	return compared, cmp.Or(r.traceOut.Commit(endOf(outcome)), err)
}

// endOf says in an archive how a run ended.
func endOf(outcome *runner.Outcome) archive.End {
	return archive.End{Result: outcome.Result, Virtual: duration(outcome.VirtualSeconds)}
}

// play makes the run, with the faults that its seed draws.
func (r *oneRun) play() (*runner.Outcome, error) {
	plan, err := runner.Prepare(r.scenario, slices.Sorted(maps.Keys(cli.Controllers))...)
	if err != nil {
		return nil, err
	}
	seed := r.scenario.Spec.Seed
	if r.options.Seed != nil {
		seed = *r.options.Seed
	}
	header, whole := r.header(seed), plan
	if drawn, err := r.flags.drawn(r.file, r.scenario, plan, seed); err != nil {
		return nil, err
	} else if r.drawn = drawn.Rules; len(drawn.Rules) > 0 {
		text, err := drawn.Text(r.scenario)
		if err != nil {
			return nil, err
		}
		for _, line := range drawn.Lines() {
			fmt.Fprintln(r.streams.Stderr(), "drawn: "+line)
		}
		header.Scenario, plan = string(text), drawn.Plan(plan)
	}
	r.comparer = r.newComparer(whole, seed)
	if err := r.traceOut.Begin(header); err != nil {
		return nil, err
	}
	outcome, err := plan.Run(r.options)
	return outcome, r.flags.choices.explained(err)
}

// header says in an archive what the run is made from.
func (r *oneRun) header(seed int64) archive.Header {
	return archive.Header{
		Kubestep: version.Version, Kubernetes: controllers.KubernetesVersion, Build: exact.Build(),
		File: r.file, Scenario: string(r.scenario.Source()), Seed: &seed,
		WithoutFaults: r.flags.withoutFaults.value, Secrets: r.flags.showSecrets,
	}
}

// conclude tells how a run ended.
func (r *oneRun) conclude(outcome *runner.Outcome, compared *comparison) error {
	for _, warning := range outcome.Warnings {
		fmt.Fprintln(r.streams.Stderr(), "Warning: "+r.file+": "+warning)
	}
	if r.flags.output != "stream" {
		return r.printOutcome(outcome, compared)
	}
	if err := r.to.stream.End(outcome); err != nil {
		return cli.OutputError("", err)
	}
	return nil
}

// abort ends the process of a run that does not come to its end, from whatever goroutine: it completes what there is of
// the output, and prints the reason.
func (r *oneRun) abort(halt trace.Halt) {
	r.once.Do(func() {
		if r.flags.streams() {
			r.to.stream.Halt(halt)
		}
		r.to.close()
		r.to.flush()
		r.keep(halt)
		os.Exit(cli.PrintHalt(r.streams, halt))
	})
}

// keep keeps the trace of a run that broke down, and says so.
func (r *oneRun) keep(halt trace.Halt) {
	records, err := r.traceOut.Keep(halt)
	switch {
	case err != nil:
		fmt.Fprintf(r.streams.Stderr(), "Warning: cannot write %v\n", err)
	case records > 0:
		fmt.Fprintf(r.streams.Stderr(), "%s has the trace until then: %s\n", r.flags.traceOut, trace.Count(records, "record"))
	}
}

// outputs are what a run writes to standard output.
type outputs struct {
	out    *bufio.Writer
	failed *failures
	stream *output.Stream
	sinks  []trace.Sink

	// mu guards the text form: what ends a run before its time comes from another goroutine.
	mu    sync.Mutex
	text  *trace.TextWriter
	ended bool
}

func newOutputs(streams cli.Streams, flags *runFlags) *outputs {
	const size = 1 << 16
	out := bufio.NewWriterSize(streams.Stdout(), size)
	if flags.streams() {
		out = bufio.NewWriterSize(streams.Raw(), size)
	}
	to := &outputs{out: out, failed: newFailures(), stream: output.NewStream(out)}
	switch flags.output {
	case "text":
		to.text = trace.NewText(out, trace.TextOptions{Verbose: flags.verbose, Width: columns(streams.Out, flags.width)})
		to.sinks = append(to.sinks, to.write, to.failed.mark)
	case "summary":
		to.sinks = append(to.sinks, to.failed.note, to.failed.mark)
	case "jsonl", "stream":
		to.sinks = append(to.sinks, to.stream.Write)
	}
	return to
}

// write is a trace.Sink for the text form.
func (o *outputs) write(record *trace.Record, _ []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended {
		_ = o.text.Write(record)
	}
}

// close ends the text form: no record follows.
func (o *outputs) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.text != nil && !o.ended {
		_ = o.text.Close()
	}
	o.ended = true
}

// flush writes what is left. cli.Streams note an error.
func (o *outputs) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.out.Flush()
}
