// Package session lets clients outside use a scenario's simulation while it runs, and makes a scenario of what they did.
//
// A session is an HTTP handler that stands for a kube-apiserver. Reads are answered at once, from what the store holds at that
// moment of virtual time; they leave no trace. Each write is executed by upstream's handler as it came, at an instant of virtual
// time, and the client gets the answer of the handler. It is a step of the scenario at the same time (package verb): an ordinary
// one such as scale or apply if that verb makes the very same request, and send otherwise. So a file with these steps gives the
// same trace: nothing is recorded that would have to be played back.
package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/expr"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/serving/internal/journal"
	"github.com/kubestep/kubestep/scenarios/serving/internal/podaccess"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/network/live"
)

// Session is one run that clients use. It implements runner.Session and http.Handler.
type Session struct {
	// Door is that of the run.
	Door *live.Door

	base   *format.Scenario
	reader *runner.StepReader
	token  string
	// run and outside belong to the engine's goroutine.
	run     runner.Live
	outside *network.Outside
	// zero is the instant at which the simulation starts. auditor is nil without an audit log.
	zero    time.Time
	auditor *auditor
	// runsKubelets means that upstream's kubelets run on nodes; access connects clients with their containers.
	runsKubelets bool
	access       *podaccess.Proxy

	// journal is nil if nothing is saved.
	journal *journal.Journal

	mu    sync.Mutex
	steps []format.Step
	// lost is why the steps do not give the same trace; empty if they do.
	lost string
	// current is the input that the run works on.
	current *input
	// saved is how many steps there were when somebody last asked for the scenario.
	saved int

	backlog *backlog
}

// quietFor is how long nothing must be written until a simulation is quiet.
const quietFor = 5 * time.Second

// New returns a session that adds steps to those of a scenario. Clients need the token.
func New(base *format.Scenario, pace live.Pace, token string) (*Session, error) {
	reader, err := runner.NewStepReader(base)
	if err != nil {
		return nil, err
	}
	s := &Session{
		Door: live.New(pace), base: base, reader: reader, token: token, backlog: newBacklog(),
		runsKubelets: base.RunsKubelets(),
	}
	s.access = podaccess.New(reach{s})
	return s, nil
}

// Save keeps the scenario of the session in a file while the session happens. It must be called before the first request.
func (s *Session) Save(file journal.File) (err error) {
	s.journal, err = journal.New(file, s.base)
	return err
}

// Begin implements runner.Session.
func (s *Session) Begin(run runner.Live) {
	s.run = run
	outside, err := run.Simulation().Outside()
	if err != nil {
		panic("session: the HTTP interface of the API server: " + err.Error())
	}
	s.outside, s.zero = outside, run.Simulation().Engine.Zero()
	s.Door.Enter(run.Simulation().Engine, func() bool { return run.IsQuiet(quietFor) })
}

// input is something for the steps: a write of a client, or what somebody has typed.
type input struct {
	step format.Step
	// write is nil if the step's verb makes its own requests.
	write *write
	err   error
	// unsaved is why the step is not in the file of the session.
	unsaved error
	done    func()
}

// failsSomehow makes verbs return the error of the API server as it is. What the step fails with is known afterwards.
const failsSomehow = notation.UnknownReason

// Next implements runner.Session.
func (s *Session) Next(ctx context.Context) (step format.Step, around func(verb.Client) verb.Client, ok bool) {
	what, at, done, ok := s.Door.Next(ctx)
	if !ok {
		return step, nil, false
	}
	in := what.(*input)
	in.done = done
	in.step.At = &notation.Duration{Duration: at}
	s.mu.Lock()
	s.current = in
	s.mu.Unlock()
	step = in.step
	step.Fails = failsSomehow
	return step, in.write.around, true
}

// Took implements runner.Session.
func (s *Session) Took(err error) {
	s.mu.Lock()
	in := s.current
	in.err = err
	if in.write != nil && in.write.lost != "" && s.lost == "" {
		s.lost = "the step at " + in.step.At.String() + " " + in.write.lost
	}
	if err != nil {
		in.step.Fails = verb.ReasonOf(err)
		if !slices.Contains(notation.Refusals(), in.step.Fails) {
			// A file with the step would not run.
			s.lost = "the step at " + in.step.At.String() +
				" is left out, for it failed without a reason that a scenario can expect: " + err.Error()
			s.mu.Unlock()
			in.done()
			return
		}
	}
	s.steps = append(s.steps, in.step)
	s.mu.Unlock()
	end := s.run.Simulation().Engine.Now().Truncate(time.Millisecond) + time.Millisecond
	in.unsaved = s.journal.Add(in.step, end)
	in.done()
}

// Scenario is Past, and its steps count as saved.
func (s *Session) Scenario(end time.Duration) ([]byte, error) {
	s.mu.Lock()
	s.saved = len(s.steps)
	s.mu.Unlock()
	return s.Past(end)
}

// Past is the scenario with the steps of the session so far, as a file, and ends at a virtual time.
func (s *Session) Past(end time.Duration) ([]byte, error) {
	out := *s.base
	s.mu.Lock()
	out.Spec.Steps = slices.Concat(s.base.Spec.Steps, s.steps)
	s.mu.Unlock()
	out.Spec.Horizon.Duration = end
	return out.Encode()
}

// Do has the run take a step, at the next moment of virtual time, and waits for it.
func (s *Session) Do(step format.Step) error { return s.do(step, verb.Streams{}) }

// do is Do; what a command in a container prints goes to the streams.
func (s *Session) do(step format.Step, streams verb.Streams) error {
	var refused error
	err := s.Door.Do(func() {
		s.outside.Aside(func() { step, refused = s.reader.Read(step) })
		if careful, ok := step.Verb.(verb.Foreseer); ok && refused == nil {
			refused = careful.Foresee(s.base.Kinds(), s.run.Simulation().State)
		}
	})
	if err = errors.Join(err, refused); err != nil {
		return err
	}
	if streamer, prints := step.Verb.(verb.Streamer); prints {
		streamer.Stream(streams)
	}
	in := &input{step: step}
	if err := s.Door.Write(in, func() bool { return true }); err != nil {
		return err
	}
	return errors.Join(in.err, in.unsaved)
}

// Saved is how many steps the session had when somebody last asked for its scenario.
func (s *Session) Saved() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.saved
}

// Steps is how many steps the session has, and lost why they would not give the same trace; empty if they do.
func (s *Session) Steps() (count int, lost string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.steps), s.lost
}

// Token is what clients have to send.
func (s *Session) Token() string { return s.token }

// Condition compiles a CEL condition about the simulation. The function that it returns belongs to the engine's goroutine.
func (s *Session) Condition(text string) (holds func() (bool, error), err error) {
	env, err := expr.NewEnv(s.base.Kinds())
	if err != nil {
		return nil, err
	}
	compiled, err := env.Compile(text)
	if err != nil {
		return nil, err
	}
	condition := compiled.Fresh()
	return func() (bool, error) {
		holds, err := s.run.Holds(condition)
		var missing *expr.NotFoundError
		if errors.As(err, &missing) {
			return false, nil
		}
		return holds, err
	}, nil
}
