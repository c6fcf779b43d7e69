// Package serving has the commands with which a scenario's simulation is used with kubectl: serve, which keeps it running,
// and step, which moves its time from another terminal. Package session does the work.
package serving

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/command"
	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/interrupt"
	"github.com/kubestep/kubestep/scenarios/limits"
	"github.com/kubestep/kubestep/scenarios/output"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/session"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/live"
	"github.com/kubestep/kubestep/sim/trace"
)

// Commands are the commands of this package.
func Commands(streams command.Streams) []*cobra.Command {
	return []*cobra.Command{newServe(streams), newStep(streams)}
}

type flags struct {
	listen, kubeconfig, save string
	speed                    float64
	step, untilQuiet, force  bool
	steps                    int
	seed                     int64
	seedSet                  bool
}

func newServe(streams command.Streams) *cobra.Command {
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

Ctrl-C ends the session. With --save, it becomes a scenario: the steps of FILE, and one for each write of a
client at its virtual time. Reads leave no trace. A run of that scenario has the trace of the session.`,
		Example: `  kubestep serve rolling-update
  kubestep serve world.yaml --speed 60 --save session.yaml
  kubestep serve world.yaml --step       # and in another terminal: kubestep step 5s`,
		Args: command.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.seedSet = cmd.Flags().Changed("seed")
			return serve(streams, args[0], f)
		},
	}
	cmd.Flags().StringVar(&f.listen, "listen", loopback, "listen on this `ADDRESS`, HOST:PORT; port 0 is a free one")
	cmd.Flags().StringVar(&f.kubeconfig, "kubeconfig", "kubestep.kubeconfig", "write the kubeconfig to the file `PATH`")
	cmd.Flags().StringVar(&f.save, "save", "", "write the session as a scenario to the file `PATH` when it ends")
	cmd.Flags().BoolVar(&f.force, "force", false, "with --save, replace an existing file")
	cmd.Flags().Float64Var(&f.speed, "speed", 1, "`NUMBER` of virtual seconds that pass in a second")
	cmd.Flags().BoolVar(&f.step, "step", false, "let virtual time stand still until kubestep step moves it")
	cmd.Flags().BoolVar(&f.untilQuiet, "until-quiet", false,
		"let virtual time pass after each write until nothing is due, and stand still otherwise")
	cmd.Flags().IntVar(&f.steps, "steps", allSteps, "take the first `NUMBER` of the scenario's steps; -1 means all")
	cmd.Flags().Int64Var(&f.seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	return cmd
}

const allSteps = -1

// pace is how time passes.
func (f *flags) pace() (live.Pace, error) {
	switch {
	case f.speed <= 0 || f.speed > speedMax:
		message := fmt.Sprintf("--speed %v is not between 0 and %d", f.speed, speedMax)
		return live.Pace{}, &command.UsageError{Message: message, Try: "--speed 60"}
	case f.step && f.untilQuiet:
		return live.Pace{}, &command.UsageError{Message: "--step and --until-quiet exclude each other", Try: "one of them"}
	case f.step:
		return live.Pace{}, nil
	case f.untilQuiet:
		return live.Pace{UntilQuiet: true}, nil
	}
	return live.Pace{Speed: f.speed}, nil
}

// speedMax is faster than any machine.
const speedMax = 100_000

// scenario reads the scenario, and leaves out what the flags leave out.
func (f *flags) scenario(file string) (*format.Scenario, error) {
	s, err := runner.Open(file)
	if err != nil {
		return nil, err
	}
	own := *s
	if f.seedSet {
		own.Spec.Seed = f.seed
	}
	switch all := len(own.Spec.Steps); {
	case f.steps > all:
		return nil, &command.UsageError{Message: fmt.Sprintf("--steps %d, but the scenario has %s", f.steps, trace.Count(all, "step")),
			Try: fmt.Sprintf("--steps %d", all)}
	case f.steps >= 0:
		own.Spec.Steps = slices.Clone(own.Spec.Steps[:f.steps])
	}
	return &own, nil
}

func serve(streams command.Streams, file string, f *flags) error {
	pace, err := f.pace()
	if err != nil {
		return err
	}
	if f.save != "" && !f.force {
		if _, err := os.Lstat(f.save); err == nil {
			return &command.UsageError{Message: f.save + " exists", Try: "--force to replace it, or another --save"}
		}
	}
	scenario, err := f.scenario(file)
	if err != nil {
		return err
	}
	plan, err := runner.Prepare(scenario, slices.Sorted(maps.Keys(command.Controllers))...)
	if err != nil {
		return err
	}
	at, err := listen(f.listen)
	if err != nil {
		return err
	}
	defer at.Close()
	defer runner.HoldZone(scenario)()
	s, err := session.New(scenario, pace, newToken())
	if err != nil {
		return err
	}
	ctx, stop := interrupt.Context()
	defer stop()
	context.AfterFunc(ctx, s.Door.Stop)
	server := &http.Server{Handler: newControl(s), ReadHeaderTimeout: 10 * time.Second}
	go at.serve(server)
	config := at.kubeconfig(s.Token())
	if err := writeKubeconfig(f.kubeconfig, config); err != nil {
		return err
	}
	defer removeKubeconfig(f.kubeconfig, config)
	fmt.Fprintf(streams.Out, "Serving %s at %s\n\n  export KUBECONFIG=%s\n\nCtrl-C ends the session.\n",
		scenario.Metadata.Name, at.url, absolute(f.kubeconfig))
	outcome, err := run(streams, plan, s)
	s.End()
	shutdown(server)
	if err != nil {
		return err
	}
	return finish(streams, f, s, outcome)
}

// run makes the run, which ends when the session does.
func run(streams command.Streams, plan *runner.Plan, s *session.Session) (*runner.Outcome, error) {
	options := runner.RunOptions{Controllers: command.Controllers, Progress: &engine.Progress{}, Session: s}
	guard := limits.Limits{Memory: limits.DefaultMemoryBytes}
	guard.TuneGarbageCollector()
	defer guard.Guard(options.Progress, func(halt trace.Halt) { os.Exit(command.PrintHalt(streams, halt)) })()
	return plan.Run(options)
}

// shutdown lets answers that are under way come to their end.
func shutdown(server *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		_ = server.Close()
	}
}

// finish says what the session was, and saves it.
func finish(streams command.Streams, f *flags, s *session.Session, outcome *runner.Outcome) error {
	count, lost := s.Steps()
	end := time.Duration(outcome.VirtualSeconds * float64(time.Second)).Round(time.Millisecond)
	fmt.Fprintf(streams.Out, "The session took %s of virtual time and has %s; trace hash %s\n",
		end, trace.Count(count, "write"), outcome.TraceHash)
	if outcome.Error != "" {
		fmt.Fprintf(streams.Err, "Warning: the run ended with an error: %s\n", outcome.Error)
	}
	if f.save == "" {
		return nil
	}
	text, err := s.Scenario(end)
	if err != nil {
		return err
	}
	if err := output.WriteFile(f.save, text); err != nil {
		return err
	}
	if lost != "" {
		fmt.Fprintf(streams.Err, "Warning: a run of %s has another trace: %s\n", f.save, lost)
	}
	fmt.Fprintf(streams.Out, "wrote %s; next: kubestep run %s\n", f.save, f.save)
	return nil
}
