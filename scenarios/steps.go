package scenarios

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubestep/kubestep/sim/activity"
	"github.com/kubestep/kubestep/sim/trace"
)

// User is the actor that takes a scenario's steps.
const User = "kubectl"

// steps is how far the scenario's steps have come.
type steps struct {
	mu   sync.Mutex
	done bool
	next int
}

// step is the sim.Task of the step that is being taken: its requests name its record as their cause.
type step struct {
	mu  sync.Mutex
	seq int64
}

// Seq implements sim.Task.
func (s *step) Seq() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq
}

// Sent implements sim.Task.
func (s *step) Sent(int) {}

// unmetError says that the world did not do what a step waited for. It fails the run, but the scenario is
// not at fault.
type unmetError struct{ message string }

// Error implements error.
func (e *unmetError) Error() string { return e.message }

// startSteps takes the steps one after the other on a goroutine of the world.
func (r *run) startSteps() {
	r.sim.Go(User, func(ctx context.Context) {
		if sleep(ctx, -r.sim.Engine.Now()) != nil {
			return
		}
		for i := range r.scenario.Spec.Steps {
			r.steps.mu.Lock()
			r.steps.next = i
			r.steps.mu.Unlock()
			if err := r.take(ctx, i); err != nil {
				if ctx.Err() == nil {
					r.fail(i, err)
				}
				return
			}
		}
		r.steps.mu.Lock()
		r.steps.done = true
		r.steps.mu.Unlock()
	})
}

// fail ends the run because of a step.
func (r *run) fail(i int, err error) {
	r.sim.Engine.After(0, "scenario|failed", func() {
		r.failure = err
		var unmet *unmetError
		if errors.As(err, &unmet) {
			r.sim.Recorder.Emit(&trace.Record{Kind: trace.KindCheck, Actor: User, Check: &trace.Check{
				Name: StepPath(i), Passed: false, Message: err.Error(),
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
	verb := st.Verb()
	if r.unperturbed && st.Perturbs() {
		return nil
	}
	task := &step{}
	r.sim.Activities.Enter(&activity.Activity{Actor: User, Task: task})
	text := actionText(st)
	r.announce(i, st, verb, text, task)
	err := verbs[verb](ctx, r, i, st)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.unperturbed {
		return nil
	}
	return r.judge(i, st, err)
}

// announce records that a step is taken.
func (r *run) announce(i int, st Step, verb, text string, task *step) {
	record := &trace.Record{Kind: trace.KindAction, Actor: User, Action: &trace.Action{Step: i, Verb: verb, Text: text}}
	switch verb {
	case "note":
		record = &trace.Record{Kind: trace.KindNote, Note: &trace.Note{Text: st.Note}}
	case "ask":
		record = &trace.Record{Kind: trace.KindAsk, Ask: &trace.Ask{Step: i, Question: st.Ask.Question, Choices: st.Ask.Choices}}
	}
	r.sim.Recorder.Defer(record, trace.RankHandler, nil, nil, func(record *trace.Record) {
		task.mu.Lock()
		defer task.mu.Unlock()
		task.seq = record.Seq
	})
}

// judge compares a step's error with what the step allows.
func (r *run) judge(i int, st Step, err error) error {
	var unmet *unmetError
	switch {
	case errors.As(err, &unmet):
		return err
	case st.Fails == "" && err == nil:
		return nil
	case st.Fails == "":
		return r.stepError(i, st, err)
	case err == nil:
		return &unmetError{fmt.Sprintf("%s succeeded, but was to fail with %s", st.Verb(), st.Fails)}
	case string(apierrors.ReasonForError(err)) != st.Fails:
		return &unmetError{fmt.Sprintf("%s was to fail with %s, but failed with %s: %v",
			st.Verb(), st.Fails, apierrors.ReasonForError(err), err)}
	}
	return nil
}

// stepError puts the position of the step in front of an error of the API server.
func (r *run) stepError(i int, st Step, err error) error {
	var positioned *Error
	if errors.As(err, &positioned) {
		return err
	}
	try := ""
	if reason := apierrors.ReasonForError(err); reason != "" {
		try = fmt.Sprintf("fails: %s beside %s, if this is meant to fail", reason, st.Verb())
	}
	return r.scenario.Errorf(StepPath(i)+"."+st.Verb(), try, "%v", err)
}

// await waits until a step is due.
func (r *run) await(ctx context.Context, i int, st Step) error {
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
	condition, err := r.compile(StepPath(i)+".when", st.When)
	if err != nil {
		return err
	}
	return r.wait(ctx, conditionMet(condition), 0)
}

// sleep waits for a span of virtual time.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
