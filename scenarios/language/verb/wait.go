package verb

import (
	"context"
	"errors"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// waitRow is what kubectl wait and kubectl rollout status do.
var waitRow = Row{
	Syntax: format.Syntax{
		Of:  new(Wait),
		Doc: "Waits with the following steps until something is true, as kubectl wait and kubectl rollout status do.",
		Example: `- wait: {for: rollout deployment/web, timeout: 60s}
- wait: {for: delete pod/web-0}
- wait: {for: quiet 10s}
- wait: {for: "deployment('web').status.availableReplicas >= 8"}
`,
		Synonyms: map[string]string{
			"until": "wait: {for: CONDITION}",
		},
		FieldSynonyms: map[string]string{
			"by":        "timeout",
			"until":     "for",
			"condition": "for",
		},
	},
}

// Wait blocks until For holds.
type Wait struct {
	For     string             `yaml:"for" cel:"waitFor" required:"true" example:"rollout deployment/web" doc:"rollout KIND/NAME, delete KIND/NAME, quiet DURATION (no writes for that long), or a CEL condition."`
	Timeout *notation.Duration `yaml:"timeout,omitempty" doc:"Virtual time after which the run fails. Default 10m."`
}

// Keyword implements format.Verb.
func (*Wait) Keyword() string { return "wait" }

// Role implements format.Verb.
func (*Wait) Role() format.Role { return format.Observation }

// String implements format.Verb.
func (s *Wait) String() string { return "for " + s.For }

// Blocks implements Blocker.
func (*Wait) Blocks() bool { return true }

// ApplyDefaults implements format.Defaulter.
func (s *Wait) ApplyDefaults() { defaultTimeout(&s.Timeout) }

// defaultTimeout fills in how long is waited.
func defaultTimeout(timeout **notation.Duration) {
	if *timeout == nil {
		*timeout = &notation.Duration{Duration: format.DefaultWaitTimeout}
	}
}

// Check implements format.Verb.
func (s *Wait) Check(c *format.Checker) { c.WaitFor("for", s.For, s.Timeout) }

// Do implements Verb.
func (s *Wait) Do(ctx context.Context, w World) error {
	err := w.Wait(ctx, "for", s.For, s.Timeout.Duration)
	if errors.Is(err, ErrTimeout) {
		return late("wait for %s: %v", s.For, err)
	}
	return err
}
