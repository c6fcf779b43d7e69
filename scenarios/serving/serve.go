// Package serving lets people use a scenario's simulation with kubectl: Serve keeps it running, and Step moves its time from another
// terminal. Start serves it in a process of its own. Package session does the work.
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
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/scenarios/serving/internal/running"
	"github.com/kubestep/kubestep/scenarios/serving/internal/session"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/live"
	"github.com/kubestep/kubestep/sim/process/random"
	"github.com/kubestep/kubestep/sim/trace"
)

// Options are how a scenario is served.
type Options struct {
	// Listen is the address, HOST:PORT; port 0 is a free one.
	Listen string
	// Name is that of the cluster: one cluster of a name runs at a time. "" is running.Default.
	Name string
	// Kubeconfig is the file in which clients find the server. It is there as long as the session. "" is KubeconfigFile of the name.
	Kubeconfig string
	// Merge adds the cluster to the kubeconfig file of kubectl, too.
	Merge bool
	// Save is the file for the session as a scenario, TraceOut that for its trace, and AuditLog that for the requests of clients; "" is
	// none.
	Save, TraceOut, AuditLog string
	// Force replaces existing files.
	Force bool
	// Speed is how many virtual seconds pass in a second.
	Speed float64
	// Step lets virtual time stand still, and UntilQuiet lets it pass after each write only.
	Step, UntilQuiet bool
	// Steps is how many steps of the scenario are taken; AllSteps is all of them.
	Steps int
	// Scenario is served in place of a file, unless it is nil.
	Scenario *format.Scenario
	// Seed is nil for that of the scenario.
	Seed *int64
	// UntilEOF ends the session when standard input ends.
	UntilEOF bool
}

// AllSteps takes all steps of a scenario.
const AllSteps = -1

// pace is how time passes.
func (o *Options) pace() (live.Pace, error) {
	switch {
	case o.Speed <= 0 || o.Speed > control.SpeedMax:
		message := fmt.Sprintf("--speed %v is not between 0 and %d", o.Speed, control.SpeedMax)
		return live.Pace{}, cli.Usage(message, "--speed 60")
	case o.Step && o.UntilQuiet:
		return live.Pace{}, cli.Usage("--step and --until-quiet exclude each other", "one of them")
	case o.Step:
		return live.Pace{}, nil
	case o.UntilQuiet:
		return live.Pace{UntilQuiet: true}, nil
	}
	return live.Pace{Speed: o.Speed}, nil
}

// Serve serves a scenario until a signal comes, standard input ends with UntilEOF, or the session is asked to end, and then saves it.
// A wrong option is a *cli.UsageError, and a file that is in the way an *output.ExistsError; an invalid scenario is a
// *source.Error or a source.ErrorList. If a step of the scenario fails, it returns cli.ErrChecksFailed.
//
// Without a file, it serves a cluster of three nodes.
func Serve(streams cli.Streams, file string, o Options) error {
	o.Name = cmp.Or(o.Name, running.Default)
	o.Kubeconfig = cmp.Or(o.Kubeconfig, KubeconfigFile(o.Name))
	if problem := running.NameProblem(o.Name); problem != "" {
		return cli.Usage(fmt.Sprintf("--name %q %s", o.Name, problem), "--name dev")
	}
	pace, err := o.pace()
	if err != nil {
		return err
	}
	if err := cmp.Or(output.Check(o.Save, o.private()), output.Check(o.AuditLog, o.private()), o.checkKubeconfig()); err != nil {
		return err
	}
	scenario, err := o.world(file, pace)
	if err != nil {
		return err
	}
	plan, err := runner.Prepare(scenario, slices.Sorted(maps.Keys(cli.Controllers))...)
	if err != nil {
		return err
	}
	at, err := listen(o.Listen)
	if err != nil {
		return err
	}
	defer at.Close()
	config := at.kubeconfig(o.Name)
	release, err := o.claim(streams, config)
	if err != nil {
		return err
	}
	defer release()
	// Clients that find the cluster before it serves wait for it: it listens already.
	remove, err := o.tellClients(streams, config)
	if err != nil {
		return err
	}
	defer remove()
	return o.serve(streams, scenario, plan, pace, at, config)
}

// serve serves a scenario at an address.
func (o *Options) serve(
	streams cli.Streams, scenario *format.Scenario, plan *runner.Plan, pace live.Pace, at *address, config control.Kubeconfig,
) error {
	// Until the process ends: connections decode dates longer than the session lasts.
	runner.HoldZone(scenario)
	random.Hold()
	s, err := session.New(scenario, pace, config.Token)
	if err != nil {
		return err
	}
	closeLog, err := o.audit(s)
	if err != nil {
		return err
	}
	defer closeLog()
	record, err := o.record()
	if err != nil {
		return err
	}
	defer record.Close()
	saving, err := o.journal(s)
	if err != nil {
		return err
	}
	defer saving.Close()
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	context.AfterFunc(ctx, s.Door.Stop)
	if o.UntilEOF {
		go func() {
			_, _ = io.Copy(io.Discard, streams.In)
			s.Door.Stop()
		}()
	}
	about := control.Session{
		Cluster: o.Name, Name: scenario.Metadata.Name, Title: scenario.Spec.Title, Seed: scenario.Spec.Seed, URL: at.url,
		Kubeconfig: absolute(o.Kubeconfig), Save: o.Save,
	}
	handler, err := control.NewServer(s, about)
	if err != nil {
		return err
	}
	defer handler.Close()
	server := newServer(handler)
	go at.serve(server)
	fmt.Fprintf(streams.Out, "Serving %s at %s\n\n  %s\n\n%s%s ends the session.\n",
		about.Name, about.URL, o.selects(about), missingControllers(scenario), greetingEnd)
	if !o.UntilEOF { // else whoever reads the trace of the session shows its state
		defer tellPace(streams.Stderr(), s, o.Name)()
	}
	outcome, err := run(streams, plan, s, []trace.Sink{handler.Sink, record.take}, func() {
		rescue(o, s)
		_ = record.Close()
	})
	s.End()
	shutdown(server)
	saving.Close()
	if err != nil || !s.Door.IsOpen() {
		if saving != nil {
			os.Remove(o.Save)
		}
		return unbegun(streams, s, outcome, err)
	}
	if err := record.Close(); err != nil {
		return &output.Error{Name: o.TraceOut, Err: err}
	}
	return finish(streams, o, s, outcome)
}

// greetingEnd begins the last line that serve prints before clients connect.
const greetingEnd = "Ctrl-C"

// private are the rights of files that have the values of Secrets.
func (o *Options) private() output.Rights { return output.Rights{Force: o.Force, Private: true} }

// journal makes a session keep the file of --save up to date. It returns nil if there is none, or if it is no regular file and gets the
// session at its end. Closing it twice does no harm.
func (o *Options) journal(s *session.Session) (*os.File, error) {
	if o.Save == "" {
		return nil, nil
	}
	file, err := output.Changing(o.Save, o.private())
	if file == nil || err != nil {
		return nil, err
	}
	// The file is that of this session now, which replaces it at the end.
	o.Force = true
	return file, s.Save(file)
}

// audit makes a session write its audit log, if there is to be one.
func (o *Options) audit(s *session.Session) (closeLog func(), err error) {
	if o.AuditLog == "" {
		return func() {}, nil
	}
	file, err := output.Growing(o.AuditLog, o.private())
	if err != nil {
		return nil, err
	}
	s.Audit(file)
	return func() { file.Close() }, nil
}

// run makes the run, which ends when the session does. halted is called if it breaks down.
func run(
	streams cli.Streams, plan *runner.Plan, s *session.Session, sinks []trace.Sink, halted func(),
) (*runner.Outcome, error) {
	options := runner.RunOptions{Controllers: cli.Controllers, Progress: &engine.Progress{}, Session: s, Sinks: sinks}
	guard := limits.Limits{Memory: limits.DefaultMemoryBytes}
	guard.TuneGarbageCollector()
	defer limits.Lasting(s.Freed)()
	defer guard.Guard(options.Progress, func(halt trace.Halt) {
		code := cli.PrintHalt(streams, halt)
		halted()
		interrupt.Exit(code)
	})()
	return plan.Run(options)
}

// rescue writes what there is of a session whose simulation broke down. Nothing can be said if that fails, too.
func rescue(o *Options, s *session.Session) {
	now, _ := s.Door.Now()
	if text, err := s.Scenario(now.Truncate(time.Millisecond) + time.Millisecond); err == nil && o.Save != "" {
		_ = output.WriteFile(o.Save, text, o.private())
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
