package verb

import (
	"context"
	"errors"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// expectRow is a check with a place and a deadline.
var expectRow = Row{
	Syntax: format.Syntax{
		Of:  new(Expect),
		Doc: "A condition that must be true now, or become true by a deadline.",
		Example: `- expect: {that: "deployment('web').status.updatedReplicas == 10", by: 60s}
- expect: {that: "deployment('web').spec.replicas == 10"}
`,
		Synonyms: map[string]string{
			"assert": "expect: {that: CONDITION}",
			"check":  "expect: {that: CONDITION}",
			"get":    "expect: {that: CONDITION}",
		},
		FieldSynonyms: map[string]string{
			"timeout":   "by",
			"within":    "by",
			"condition": "that",
		},
	},
}

// Expect is a check bound to a place in the steps.
type Expect struct {
	That string             `yaml:"that" required:"true" cel:"true" example:"deployment('web').status.readyReplicas == 3" doc:"CEL condition."`
	By   *notation.Duration `yaml:"by,omitempty" example:"60s" doc:"Virtual time, counted from this step, by which it must be true. Default: now."`
}

// Keyword implements format.Verb.
func (*Expect) Keyword() string { return "expect" }

// Role implements format.Verb.
func (*Expect) Role() format.Role { return format.Observation }

// String implements format.Verb.
func (e *Expect) String() string { return e.That }

// Blocks implements Blocker.
func (e *Expect) Blocks() bool { return e.By != nil }

// Check implements format.Verb.
func (e *Expect) Check(c *format.Checker) {
	if e.By != nil && e.By.Duration > c.Left() {
		c.Fail("by", notation.Text(c.Left())+" or less, or a later horizon",
			"the deadline is after the horizon of %s", c.Scenario().Spec.Horizon)
	}
}

// Remainder implements Questioner.
func (e *Expect) Remainder() Verb {
	if e.By == nil {
		return nil
	}
	return &Wait{For: e.That, Timeout: e.By}
}

// Do implements Verb.
func (e *Expect) Do(ctx context.Context, w World) error {
	timeout := time.Nanosecond
	if e.By != nil && e.By.Duration > 0 {
		timeout = e.By.Duration
	}
	err := w.Wait(ctx, "that", e.That, timeout)
	var problem *TimeoutError
	switch {
	case !errors.As(err, &problem):
		return err
	case timeout == time.Nanosecond:
		return unmet("expected %s, but %s", e.That, problem.Missing)
	}
	return late("expected %s, but after %s: %s", e.That, problem.After, problem.Missing)
}
