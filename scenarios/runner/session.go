package runner

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/expr"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/translate"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/process/logging"
)

// Session adds steps to those of a scenario while the run happens. A run with a session is that of the scenario with these
// steps: whoever writes them into a file gets the same trace from it.
type Session interface {
	// Begin is called in the bubble, on the engine's goroutine, before anything happens.
	Begin(Live)
	// Next returns the next step, which has a time that has not come yet. It is called on the goroutine of the steps, the
	// first time after the last step of the scenario, and blocks until there is a step. ok is false when the context ends.
	// Of the client that sends the requests of the step, around makes the one that the verb has.
	Next(ctx context.Context) (step format.Step, around func(verb.Client) verb.Client, ok bool)
	// Took is called after each step that Next returned, with the error of its request.
	Took(err error)
}

// SessionHorizon is how long a run with a session may take: shorter than a run that leaves out heartbeats.
const SessionHorizon = longHorizon - time.Hour

// Live is a run with a session. Its methods belong to the engine's goroutine.
type Live struct{ run *run }

// Simulation is the simulation of the run.
func (l Live) Simulation() *sim.Simulation { return l.run.sim }

// IsQuiet reports whether nothing has been written for a span of virtual time, and nothing is due but heartbeats.
func (l Live) IsQuiet(span time.Duration) bool {
	return l.run.Now()-l.run.writes.last >= span && l.run.due() == ""
}

// Holds evaluates a condition, outside the budget of the scenario's own.
func (l Live) Holds(condition *expr.Condition) (holds bool, err error) {
	result, err := condition.Eval(l.run)
	return result.True, err
}

// forSession is the scenario of a run with a session: without an end, and with steps of its own.
func forSession(s *format.Scenario) *format.Scenario {
	own := *s
	own.Spec.Steps = slices.Clone(s.Spec.Steps)
	own.Spec.Horizon.Duration = SessionHorizon
	return &own
}

// takeAdded takes the steps of the session.
func (r *run) takeAdded(ctx context.Context, session Session) {
	for {
		step, around, ok := session.Next(ctx)
		if !ok {
			return
		}
		i := len(r.scenario.Spec.Steps)
		r.scenario.Spec.Steps = append(r.scenario.Spec.Steps, step)
		r.steps.turnOf(i)
		if r.await(ctx, i, step) != nil {
			return
		}
		err := r.act(ctx, i, step, around(user{r.sim}))
		if ctx.Err() != nil {
			return
		}
		session.Took(err)
	}
}

// StepReader reads steps that are not in a file yet, as Open and Prepare will read them from there.
type StepReader struct {
	scenario *format.Scenario
	server   *apiserver.Server
}

// NewStepReader returns a reader of steps for a scenario.
func NewStepReader(s *format.Scenario) (*StepReader, error) {
	server, err := emptyCluster(s)
	return &StepReader{s, server}, err
}

// Read returns a step as it will be in the file. The error says what is wrong with it there. A verb asks an API server of
// its own, so ids must be held (network.Outside).
func (r *StepReader) Read(step format.Step) (format.Step, error) {
	var alone format.Scenario
	alone.APIVersion, alone.Kind, alone.Metadata.Name = format.APIVersion, format.Kind, r.scenario.Metadata.Name
	alone.Spec.Title, alone.Spec.Horizon = "One step", r.scenario.Spec.Horizon
	alone.Spec.Cluster, alone.Spec.Kubernetes = r.scenario.Spec.Cluster, r.scenario.Spec.Kubernetes
	alone.Spec.Controllers, alone.Spec.Steps = r.scenario.Spec.Controllers, []format.Step{step}
	if step.Sends() {
		alone.Spec.Cluster.Objects = "" // a dump may be large, and a request does not refer to it
	}
	text, err := alone.Encode()
	if err != nil {
		return step, err
	}
	read, err := format.Parse("step.yaml", text, verb.All)
	if err != nil {
		return step, withoutFile(err)
	}
	if prober, ok := read.Spec.Steps[0].Verb.(verb.Prober); ok {
		prospect := verb.Prospect{Scenario: read, Server: r.server, Processes: processNames(read, nil)}
		if err := prober.Probe(prospect); err != nil {
			return step, withoutFile(err)
		}
	}
	return read.Spec.Steps[0], nil
}

// withoutFile is an error about a step that is in no file yet, in one line.
func withoutFile(err error) error {
	var wrong *source.Error
	if !errors.As(err, &wrong) {
		return err
	}
	text := strings.TrimPrefix(wrong.Path, format.StepPath(0)+".") + ": " + wrong.Message
	if wrong.Try != "" {
		text += " (try " + wrong.Try + ")"
	}
	return errors.New(text)
}

// Request reads a request of a client as the HTTP interface of the API server does. ok is false if it is not for a resource.
func (r *StepReader) Request(request *http.Request) (wire *apiserver.Wire, ok bool, err error) {
	// What the server logs while it is built tells its user nothing.
	restore := logging.To(nil)
	front, err := r.server.HTTP()
	restore()
	if err != nil {
		return nil, false, err
	}
	return front.Parse(request, verb.User)
}

// Step returns the step that does what a request does: with the best verb that a file can have. fits reports whether a step does it;
// it is asked about each but the last one, which is the request itself. ok is false if there is none. version is the resourceVersion that
// the object of the request has.
func (r *StepReader) Step(
	wire *apiserver.Wire, request *http.Request, version string, fits func(format.Step) bool,
) (step format.Step, ok bool) {
	return r.first(translate.Steps(r.scenario.Kinds(), wire, request, version), fits)
}

// Logged is Step for a request in a log, whose client has its answer.
func (r *StepReader) Logged(wire *apiserver.Wire, request *http.Request) (step format.Step, ok bool) {
	return r.first(translate.Logged(r.scenario.Kinds(), wire, request), func(format.Step) bool { return true })
}

// first is the first step that a file can have, and that fits.
func (r *StepReader) first(steps []format.Step, fits func(format.Step) bool) (step format.Step, ok bool) {
	for i, one := range steps {
		if step, err := r.Read(one); err == nil && (i == len(steps)-1 || fits(step)) {
			return step, true
		}
	}
	return step, false
}
