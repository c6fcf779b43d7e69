package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// steps is how far the scenario's steps have come.
type steps struct {
	mu sync.Mutex
	// next is the step whose turn it is, of those that are taken one after the other, and ended means that it was the last one.
	next  int
	ended bool
	// begun are the steps whose times have come.
	begun []int
	// beside are the concurrent steps that have not ended.
	beside []int
	// failed is the step that ended the run.
	failed int
}

// isDone reports whether all steps have ended.
func (s *steps) isDone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended && len(s.beside) == 0
}

// open is a step that has not ended.
func (s *steps) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended && len(s.beside) > 0 {
		return s.beside[0]
	}
	return s.next
}

// hasBegun reports whether the time of a step has come.
func (s *steps) hasBegun(i int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.begun, i)
}

// turnOf notes whose turn it is.
func (s *steps) turnOf(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = i
}

// isBeside reports whether a step is a concurrent one that has not ended.
func (s *steps) isBeside(i int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.beside, i)
}

// begin notes that the time of a step has come.
func (s *steps) begin(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = append(s.begun, i)
}

// end notes that all steps have ended that are taken one after the other.
func (s *steps) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
}

// endBeside notes that a concurrent step has ended.
func (s *steps) endBeside(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beside = slices.DeleteFunc(s.beside, func(other int) bool { return other == i })
}

// step is the network.Task of the step that is being taken: its requests name its record as their cause.
type step struct {
	mu  sync.Mutex
	seq int64
}

// Seq implements network.Task.
func (s *step) Seq() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq
}

// Sent implements network.Task.
func (s *step) Sent(int, bool) {}

var _ network.Task = &step{}

// startSteps takes the steps one after the other on a goroutine of the simulation, and then those of the session, if there is
// one. Each concurrent step has a goroutine of its own.
func (r *run) startSteps(session Session) {
	for i, st := range r.scenario.Spec.Steps {
		if st.Concurrent {
			r.startBeside(i, false)
		}
	}
	r.sim.Go(verb.User, func(ctx context.Context) {
		if sleep(ctx, -r.sim.Engine.Now()) != nil {
			return
		}
		// A run that becomes another one (become) has other steps from then on.
		for i := 0; i < len(r.scenario.Spec.Steps); i++ {
			if r.scenario.Spec.Steps[i].Concurrent {
				continue
			}
			r.steps.turnOf(i)
			if !r.took(ctx, i) {
				return
			}
		}
		r.steps.end()
		if session != nil {
			r.takeAdded(ctx, session)
		}
	})
}

// startBeside takes a concurrent step at its time, on a goroutine that is not there before: until then, the run is the same as without the
// step, to the last draw. now means that the event that is executed is that of the step.
func (r *run) startBeside(i int, now bool) {
	r.steps.mu.Lock()
	r.steps.beside = append(r.steps.beside, i)
	r.steps.mu.Unlock()
	take := func() {
		r.sim.Go(verb.User, func(ctx context.Context) {
			if r.took(ctx, i) {
				r.steps.endBeside(i)
			}
		})
	}
	if now {
		take()
		return
	}
	// A future that begins at this time has rank 0.
	r.sim.Engine.FirstAt(r.scenario.Spec.Steps[i].At.Duration, uint64(i)+1, take)
}

// took takes a step, and reports whether it ended without an error.
func (r *run) took(ctx context.Context, i int) bool {
	err := r.take(ctx, i)
	if err != nil && ctx.Err() == nil {
		r.fail(i, err)
	}
	return err == nil
}

// fail ends the run because of a step.
func (r *run) fail(i int, err error) {
	r.sim.Engine.After(0, "scenario|failed", func() {
		r.failure, r.steps.failed = err, i
		var unmet *verb.UnmetError
		if errors.As(err, &unmet) {
			cause := int64(0)
			for _, path := range slices.Sorted(maps.Keys(r.conditions)) {
				if strings.HasPrefix(path, format.StepPath(i)+".") {
					cause = max(cause, r.causeOf(r.conditions[path]))
				}
			}
			r.sim.Recorder.Emit(&trace.Record{Kind: trace.KindCheck, Actor: verb.User, Cause: cause, Check: &trace.Check{
				Name: format.StepPath(i), Passed: false, Message: err.Error(),
			}})
		}
		r.sim.Engine.Stop()
	})
}

// take waits for a step's time and takes it.
func (r *run) take(ctx context.Context, i int) error {
	st := r.scenario.Spec.Steps[i]
	if err := r.await(ctx, i, st); err != nil {
		return err
	}
	st = r.scenario.Spec.Steps[i]
	r.steps.begin(i)
	if st.Perturbs() && r.leavesOut(format.StepPath(i)) {
		return nil
	}
	err := r.act(ctx, i, st, user{r.sim})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.without != nil {
		return nil
	}
	return r.judge(i, st, err)
}

// act executes the verb of a step, whose time has come. client sends its requests.
func (r *run) act(ctx context.Context, i int, st format.Step, client verb.Client) error {
	task := &step{}
	r.sim.Activities.Enter(&activity.Activity{Actor: verb.User, Task: task})
	does := st.Verb.(verb.Verb)
	r.announce(i, does, task)
	return does.Do(ctx, &turn{r, i, task, client})
}

// announce records that a step is taken.
func (r *run) announce(i int, does verb.Verb, task *step) {
	record := &trace.Record{Kind: trace.KindAction, Actor: verb.User, Action: &trace.Action{
		Step: i, Verb: does.Keyword(), Text: does.String(),
	}}
	if a, ok := does.(verb.Announcer); ok {
		record = a.Announce(i)
	}
	r.sim.Recorder.Defer(record, trace.RankHandler, r.orderOf(i), nil, func(record *trace.Record) {
		if r.onStep != nil {
			r.onStep(i, r.invariants.IsAtRest(), r.sim.State)
		}
		task.mu.Lock()
		defer task.mu.Unlock()
		task.seq = record.Seq
	})
}

// orderOf is the order of a step among those that are taken at one time, as trace.Recorder has it: concurrent ones come last, as in the
// scenario.
func (r *run) orderOf(i int) func() string {
	if !r.scenario.Spec.Steps[i].Concurrent {
		return nil
	}
	return func() string { return fmt.Sprintf("%09d", i) }
}

// impossible is that a step cannot be taken: a mistake of the scenario, or a failure of the run if faults were added to it, or its own have
// applied. They may have kept a controller from making what the step is about. what begins the message.
func (r *run) impossible(what string, err error) error {
	var wrong *source.Error
	if errors.As(err, &wrong) && (r.disturbed || r.hasApplied()) {
		return &verb.UnmetError{Message: what + wrong.Message}
	}
	return err
}

// judge compares a step's error with what the step allows.
func (r *run) judge(i int, st format.Step, err error) error {
	var unmet *verb.UnmetError
	switch {
	case errors.As(err, &unmet):
		return err
	case st.Fails == "" && err == nil:
		return nil
	case st.Fails == "":
		return r.impossible(st.Verb.Keyword()+": ", verb.StepError(r.scenario, i, err))
	case err == nil:
		return &verb.UnmetError{Message: fmt.Sprintf("%s: expected %s, but it succeeded", st.Verb.Keyword(), st.Fails)}
	case verb.ReasonOf(err) != st.Fails:
		return &verb.UnmetError{Message: fmt.Sprintf("%s: expected %s, got %s: %v",
			st.Verb.Keyword(), st.Fails, verb.ReasonOf(err), err)}
	}
	return nil
}

// await waits until a step is due.
func (r *run) await(ctx context.Context, i int, st format.Step) error {
	var delay time.Duration
	switch {
	case st.At != nil:
		delay = st.At.Duration - r.sim.Engine.Now()
	case st.After != nil:
		delay = st.After.Duration
	}
	if err := sleep(ctx, delay); err != nil {
		return err
	}
	if st.When == "" {
		return nil
	}
	return r.wait(ctx, i, conditionMet(r.conditions[format.StepPath(i)+".when"]), 0)
}

// sleep waits for a span of virtual time.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	if !engine.Sleep(ctx, d) {
		return ctx.Err()
	}
	return nil
}

// chooseOrder lets the Order of the run decide.
func (r *run) chooseOrder() {
	if r.order == nil {
		return
	}
	r.sim.ChooseOrder(r.writeState, func(point sim.Point) int {
		chosen, continues := r.order.Choose(point, r.sim.State)
		if !continues {
			r.sim.Engine.Stop()
		}
		return chosen
	})
}

// writeState writes what the scenario adds to a state: the step whose turn it is, what waits, and what the checks have decided.
func (r *run) writeState(w io.Writer) {
	r.steps.mu.Lock()
	fmt.Fprintln(w, r.steps.next, r.steps.ended, r.steps.beside)
	r.steps.mu.Unlock()
	fmt.Fprintln(w, len(r.waiters), r.failure)
	for _, c := range r.checks {
		fmt.Fprintln(w, c.name, c.decided, c.passed)
	}
	for _, result := range r.invariants.Results() {
		fmt.Fprintln(w, result.Name, result.Breaches)
	}
}
