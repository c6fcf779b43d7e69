// Package serving has the commands with which a scenario's simulation is used with kubectl: serve, which keeps it running,
// and step, which moves its time from another terminal. Package session does the work.
package serving

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/scenarios/serving/internal/session"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/live"
	"github.com/kubestep/kubestep/sim/process/random"
	"github.com/kubestep/kubestep/sim/trace"
)

// Commands are the commands of this package.
func Commands(streams cli.Streams) []*cobra.Command {
	return []*cobra.Command{newServe(streams), newStep(streams)}
}

// flags are those of serve.
type flags struct {
	listen, kubeconfig, save string
	auditLog                 string
	speed                    float64
	step, untilQuiet, force  bool
	steps                    int
	seed                     int64
	seedSet, untilEOF        bool
}

// register adds the flags that kubestep open has, too.
func (f *flags) register(set *pflag.FlagSet) {
	set.StringVar(&f.listen, "listen", loopback, "listen on this `ADDRESS`, HOST:PORT; port 0 is a free one")
	set.StringVar(&f.kubeconfig, "kubeconfig", "kubestep.kubeconfig", "write the kubeconfig to the file `PATH`")
	set.StringVar(&f.save, "save", "", "write the session as a scenario to the file `PATH` when it ends")
	set.BoolVar(&f.force, "force", false, "with --save or --audit-log, replace an existing file")
	set.Float64Var(&f.speed, "speed", 1, "`NUMBER` of virtual seconds that pass in a second")
	set.BoolVar(&f.step, "step", false, "let virtual time stand still until somebody moves it")
	set.BoolVar(&f.untilQuiet, "until-quiet", false,
		"let virtual time pass after each write until nothing is due, and stand still otherwise")
	set.IntVar(&f.steps, "steps", allSteps, "take the first `NUMBER` of the scenario's steps; -1 means all")
}

// Flags are the flags of serve for a command that starts it.
type Flags struct{ set *pflag.FlagSet }

// NewFlags adds the flags to those of a command.
func NewFlags(to *pflag.FlagSet) *Flags {
	f := &Flags{pflag.NewFlagSet("serve", pflag.ContinueOnError)}
	(&flags{}).register(f.set)
	f.set.VisitAll(func(one *pflag.Flag) {
		one.Usage = "with --serve, " + strings.NewReplacer("with --save or --audit-log, ", "").Replace(one.Usage)
	})
	to.AddFlagSet(f.set)
	return f
}

// Given are the flags that were given, as arguments.
func (f *Flags) Given() []string {
	var given []string
	f.set.VisitAll(func(one *pflag.Flag) {
		if one.Changed {
			given = append(given, "--"+one.Name+"="+one.Value.String())
		}
	})
	return given
}

// Kubeconfig is the file in which clients find the server.
func (f *Flags) Kubeconfig() string { return f.set.Lookup("kubeconfig").Value.String() }

// Arguments are those with which serve serves a scenario until its standard input ends, however that comes.
func Arguments(file string, flags ...string) []string {
	return append(append([]string{"serve", "--until-eof"}, flags...), "--", file)
}

func newServe(streams cli.Streams) *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use:   "serve FILE",
		Short: "Use the cluster of a scenario with kubectl, and make a scenario of what you did",
		Long: `Use the cluster of a scenario with kubectl, helm or any other client while it runs.

FILE is a scenario file or the name of a scenario that comes with kubestep. Its steps are taken first, as fast
as possible; --steps takes fewer. Then virtual time passes as real time does, or faster with --speed. With
--step it stands still, and kubestep step moves it. With --until-quiet it passes after each write, as fast as
possible, until nothing is due.

kubestep writes a kubeconfig file and prints the command that selects it. The server listens on this machine
only, unless you name another address with --listen. Clients need the token in that file.

With --audit-log, kubestep writes the requests of clients as kube-apiserver writes its audit log, with the
times of the simulation. kubestep init --audit makes steps of such a log.

Ctrl-C ends the session. With --save, it becomes a scenario: the steps of FILE, and one for each write of a
client at its virtual time. Reads leave no trace. A run of that scenario has the trace of the session.`,
		Example: `  kubestep serve rolling-update
  kubestep serve world.yaml --speed 60 --save session.yaml
  kubestep serve world.yaml --step       # and in another terminal: kubestep step 5s`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.seedSet = cmd.Flags().Changed("seed")
			return serve(streams, args[0], f)
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().BoolVar(&f.untilEOF, "until-eof", false, "end the session when the standard input ends")
	_ = cmd.Flags().MarkHidden("until-eof")
	cmd.Flags().StringVar(&f.auditLog, "audit-log", "", "write the requests of clients to the audit log `PATH`, as kube-apiserver does")
	cmd.Flags().Int64Var(&f.seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	return cmd
}

const allSteps = -1

// pace is how time passes.
func (f *flags) pace() (live.Pace, error) {
	switch {
	case f.speed <= 0 || f.speed > control.SpeedMax:
		message := fmt.Sprintf("--speed %v is not between 0 and %d", f.speed, control.SpeedMax)
		return live.Pace{}, cli.Usage(message, "--speed 60")
	case f.step && f.untilQuiet:
		return live.Pace{}, cli.Usage("--step and --until-quiet exclude each other", "one of them")
	case f.step:
		return live.Pace{}, nil
	case f.untilQuiet:
		return live.Pace{UntilQuiet: true}, nil
	}
	return live.Pace{Speed: f.speed}, nil
}

func serve(streams cli.Streams, file string, f *flags) error {
	pace, err := f.pace()
	if err != nil {
		return err
	}
	if err := cmp.Or(output.Check(f.save, f.private()), output.Check(f.auditLog, f.private())); err != nil {
		return err
	}
	scenario, err := f.world(file, pace)
	if err != nil {
		return err
	}
	plan, err := runner.Prepare(scenario, slices.Sorted(maps.Keys(cli.Controllers))...)
	if err != nil {
		return err
	}
	at, err := listen(f.listen)
	if err != nil {
		return err
	}
	defer at.Close()
	// Until the process ends: connections decode dates longer than the session lasts.
	runner.HoldZone(scenario)
	random.Hold()
	s, err := session.New(scenario, pace, newToken())
	if err != nil {
		return err
	}
	closeLog, err := f.audit(s)
	if err != nil {
		return err
	}
	defer closeLog()
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	context.AfterFunc(ctx, s.Door.Stop)
	if f.untilEOF {
		go func() {
			_, _ = io.Copy(io.Discard, streams.In)
			s.Door.Stop()
		}()
	}
	about := control.Session{
		Name: scenario.Metadata.Name, Title: scenario.Spec.Title, Seed: scenario.Spec.Seed, URL: at.url,
		Kubeconfig: absolute(f.kubeconfig), Save: f.save,
	}
	handler, err := control.NewServer(s, about)
	if err != nil {
		return err
	}
	defer handler.Close()
	server := newServer(handler)
	go at.serve(server)
	config := at.kubeconfig(s.Token())
	if err := writeKubeconfig(f.kubeconfig, config); err != nil {
		return err
	}
	defer removeKubeconfig(f.kubeconfig, config)
	fmt.Fprintf(streams.Out, "Serving %s at %s\n\n  %s\n\n%s%s ends the session.\n",
		about.Name, about.URL, about.Export(), missing(scenario), greetingEnd)
	outcome, err := run(streams, plan, s, handler.Sink, func() { rescue(f, s) })
	s.End()
	shutdown(server)
	if err != nil || !s.Door.Open() {
		return unbegun(streams, s, outcome, err)
	}
	return finish(streams, f, s, outcome)
}

// greetingEnd begins the last line that serve prints before clients connect.
const greetingEnd = "Ctrl-C"

// private are the rights of files that have the values of Secrets.
func (f *flags) private() output.Rights { return output.Rights{Force: f.force, Private: true} }

// audit makes a session write its audit log, if there is to be one.
func (f *flags) audit(s *session.Session) (closeLog func(), err error) {
	if f.auditLog == "" {
		return func() {}, nil
	}
	file, err := output.Growing(f.auditLog, f.private())
	if err != nil {
		return nil, err
	}
	s.Audit(file)
	return func() { file.Close() }, nil
}

// run makes the run, which ends when the session does.
func run(streams cli.Streams, plan *runner.Plan, s *session.Session, sink trace.Sink, halted func()) (*runner.Outcome, error) {
	options := runner.RunOptions{
		Controllers: cli.Controllers, Progress: &engine.Progress{}, Session: s, Sinks: []trace.Sink{sink},
	}
	guard := limits.Limits{Memory: limits.DefaultMemoryBytes}
	guard.TuneGarbageCollector()
	defer guard.Guard(options.Progress, func(halt trace.Halt) {
		code := cli.PrintHalt(streams, halt)
		halted()
		os.Exit(code)
	})()
	return plan.Run(options)
}

// rescue writes what there is of a session whose simulation broke down. Nothing can be said if that fails, too.
func rescue(f *flags, s *session.Session) {
	now, _ := s.Door.Now()
	if text, err := s.Scenario(now.Truncate(time.Millisecond) + time.Millisecond); err == nil && f.save != "" {
		_ = output.WriteFile(f.save, text, f.private())
	}
}

// shutdown lets answers that are under way come to their end.
func shutdown(server *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		_ = server.Close()
	}
}

// unbegun says why there was no session: it ended before the steps of the scenario were taken, or one of them did not do what it
// should.
func unbegun(streams cli.Streams, s *session.Session, outcome *runner.Outcome, err error) error {
	switch {
	case s.Door.Stopping() && !s.Door.Open():
		fmt.Fprintln(streams.Out, "The session ended before the steps of the scenario were taken; there is nothing to save")
		return nil
	case err != nil:
		return err
	}
	fmt.Fprintln(streams.Err, "Error: the session ended before it began, because a step of the scenario failed")
	for _, check := range failed(outcome) {
		fmt.Fprintf(streams.Err, "  %s: %s\n", check.Name, check.Message)
	}
	if outcome.Error != "" {
		fmt.Fprintln(streams.Err, "  "+outcome.Error)
	}
	return cli.ErrChecksFailed
}

// failed are the checks of the scenario that fail, without the rules that every run checks.
func failed(outcome *runner.Outcome) []runner.CheckResult {
	return slices.DeleteFunc(slices.Clone(outcome.Checks), func(c runner.CheckResult) bool {
		return c.Result != runner.Fail || c.Invariant
	})
}

// finish says what the session was, and saves it.
func finish(streams cli.Streams, f *flags, s *session.Session, outcome *runner.Outcome) error {
	count, lost := s.Steps()
	end := time.Duration(outcome.VirtualSeconds * float64(time.Second)).Round(time.Millisecond)
	fmt.Fprintf(streams.Out, "The session took %s of virtual time and has %s; trace hash %s\n",
		end, trace.Count(count, "write"), outcome.TraceHash)
	if err := s.AuditError(); err != nil {
		return &output.Error{Name: f.auditLog, Err: err}
	}
	if outcome.Error != "" {
		fmt.Fprintf(streams.Err, "Warning: the run ended with an error: %s\n", outcome.Error)
	}
	if f.save == "" {
		return nil
	}
	var names []string
	for _, check := range failed(outcome) {
		names = append(names, check.Name)
	}
	if len(names) > 0 {
		fmt.Fprintf(streams.Err, "Warning: checks of the scenario fail, and will in a run of %s: %s\n", f.save, strings.Join(names, ", "))
	}
	text, err := s.Scenario(end)
	if err != nil {
		return err
	}
	if err := output.WriteFile(f.save, text, f.private()); err != nil {
		return err
	}
	if lost != "" {
		fmt.Fprintf(streams.Err, "Warning: a run of %s has another trace: %s\n", f.save, lost)
	}
	fmt.Fprintf(streams.Out, "wrote %s; next: kubestep run %s\n", f.save, f.save)
	return nil
}
