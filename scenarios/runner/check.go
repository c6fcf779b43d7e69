package runner

import (
	"errors"
	"fmt"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/expr"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// check is one check of a scenario while it runs.
type check struct {
	name string
	kind string

	condition *expr.Condition
	// from and until bound an always check; nil means from the start, and to the end.
	from, until *expr.Condition

	begun, over bool
	evaluated   bool
	// keyless is the error of the last time at which the condition could not be evaluated since a key was missing, and first the
	// time at which it could be.
	keyless *expr.NotFoundError
	first   time.Duration
	decided bool
	passed  bool
	message string
	by      verb.Decider
}

// The kinds of checks.
const (
	always     = "always"
	eventually = "eventually"
	atEnd      = "at-end"
)

// firstAvailable is what from: first-available stands for: some Deployment has become Available.
const firstAvailable = "list('deployments').exists(d, is(d, 'Available'))"

// readyChecks makes the scenario's checks, which are not yet decided.
func (r *run) readyChecks() {
	for i, c := range r.scenario.Spec.Checks {
		path := source.Item("spec.checks", i)
		ready := &check{name: c.Name, from: r.conditions[path+".from"], until: r.conditions[path+".until"]}
		for _, kind := range []string{always, eventually, atEnd} {
			if condition := r.conditions[path+"."+kind]; condition != nil {
				ready.kind, ready.condition = kind, condition
			}
		}
		r.checks = append(r.checks, ready)
	}
}

// watchChecks looks at the checks that hold over time. It runs on the engine's goroutine whenever the simulation is
// quiescent; nothing is evaluated twice for one state.
func (r *run) watchChecks() {
	if r.writes.count == r.checkedWrites {
		return
	}
	r.checkedWrites = r.writes.count
	for _, c := range r.checks {
		if !c.decided && !c.over && c.kind != atEnd {
			r.watchCheck(c)
		}
	}
}

func (r *run) watchCheck(c *check) {
	if !c.begun {
		if c.from != nil && !r.holds(c.from) {
			return
		}
		c.begun = true
	}
	if c.until != nil && r.holds(c.until) {
		c.over = true
		return
	}
	result, err := r.eval(c.condition)
	var missing *expr.NotFoundError
	switch {
	case r.overBudget != nil:
		return
	case errors.As(err, &missing) && !c.evaluated:
		// What the check is about does not exist yet.
		if missing.Key {
			c.keyless = missing
		}
		return
	case err != nil && c.kind == always:
		r.decide(c, false, err.Error())
	case err != nil:
	case c.kind == eventually && result.True:
		r.decide(c, true, "true at "+trace.Seconds(r.Now()))
	case c.kind == always && !result.True:
		r.decide(c, false, fmt.Sprintf("false at %s: %s", trace.Seconds(r.Now()), r.explain(c.condition)))
	}
	if !c.evaluated {
		c.evaluated, c.first = true, r.Now()
	}
}

// lateChecks are warnings about checks that could not be evaluated while a key was missing. That may be a mistake in the
// condition: nothing else tells of a field that a custom resource does not have.
func (r *run) lateChecks() (found []string) {
	for _, c := range r.checks {
		if c.kind == always && c.evaluated && c.keyless != nil {
			found = append(found, fmt.Sprintf("check %s tests nothing before %s: %v until then", c.name, trace.Seconds(c.first), c.keyless))
		}
	}
	return found
}

// holds evaluates a bound; an error, such as an object that does not exist, means no.
func (r *run) holds(condition *expr.Condition) bool {
	result, err := r.eval(condition)
	return err == nil && result.True
}

// decide decides a check and records it at that time. The cause of one that fails is the last write of what it read.
func (r *run) decide(c *check, passed bool, message string) {
	c.decided, c.passed, c.message = true, passed, message
	record := &trace.Record{Kind: trace.KindCheck, Check: &trace.Check{Name: c.name, Passed: passed, Message: message}}
	if !passed {
		record.Cause = r.causeOf(c.condition)
	}
	r.sim.Recorder.Emit(record)
}

// finishChecks settles what is open at the end of the run.
func (r *run) finishChecks() {
	for _, c := range r.checks {
		if !c.decided {
			c.by = verb.ByHorizon
		}
		if c.kind == always && !c.evaluated && !c.decided {
			r.watchCheck(c) // the time may have begun it since the last write
		}
		if c.decided {
			continue
		}
		if r.overBudget != nil {
			return
		}
		switch c.kind {
		case always:
			if c.evaluated {
				r.decide(c, true, "held all the time")
			} else {
				r.decide(c, false, "was never evaluated: "+r.neverBegun(c))
			}
		case eventually:
			r.decide(c, false, "never true: "+r.explain(c.condition))
		case atEnd:
			result, err := r.eval(c.condition)
			switch {
			case err != nil:
				r.decide(c, false, err.Error())
			case result.True:
				r.decide(c, true, "true at the end")
			default:
				r.decide(c, false, "false at the end: "+r.explain(c.condition))
			}
		}
	}
}

func (r *run) neverBegun(c *check) string {
	if !c.begun && c.from != nil {
		return "from was never true: " + r.explain(c.from)
	}
	return r.explain(c.condition)
}

// end is the virtual time at which nothing happened any more, heartbeats apart.
func (r *run) settled() time.Duration { return r.writes.last }
