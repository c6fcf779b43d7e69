package verb

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/trace"
)

// askRow is a question to the reader.
var askRow = Row{
	Syntax: format.Syntax{
		Of:  new(Ask),
		Doc: "A question. The run shows the answer a moment later.",
		Example: `- ask:
    question: The rollout begins. How many Pods will there be, at most?
    choices: ["10", "12", "13"]
    for: rollout deployment/web
    answer: "13"
    that: deployment('web').spec.replicas == 10
    explain: maxSurge 25% of 10 is 2.5, rounded up 3.
# Without choices the reader writes a number; without "for" the answer is known at once.
- ask: {question: "How many Pods are available now?", answer: "10", that: "deployment('web').status.availableReplicas == 10"}
`,
		Synonyms: map[string]string{
			"question": "ask",
			"predict":  "ask",
		},
		FieldSynonyms: map[string]string{
			"by":      "timeout",
			"when":    "for",
			"options": "choices",
			"because": "explain",
		},
	},
}

// Ask is a question that the run itself answers: the steps wait until For holds, and then the condition That proves the
// answer.
type Ask struct {
	Question string             `yaml:"question" required:"true" example:"How many Pods will there be at once?" doc:"What to predict."`
	Choices  []string           `yaml:"choices,omitempty" example:"['10', '12', '13']" doc:"Answers to choose from. Without them, any text is an answer."`
	For      string             `yaml:"for,omitempty" cel:"waitFor" example:"quiet 3s" doc:"When to show the answer, as in wait. Default: immediately."`
	Timeout  *notation.Duration `yaml:"timeout,omitempty" doc:"Virtual time after which the run fails. Default 10m."`
	Answer   string             `yaml:"answer" required:"true" example:"'13'" doc:"The right answer."`
	That     string             `yaml:"that" required:"true" cel:"true" example:"size(pods('app=web')) == 13" doc:"CEL condition that is true at that moment if the answer is right. Otherwise the run fails."`
	Explain  string             `yaml:"explain,omitempty" doc:"Markdown: the reason."`
}

// Keyword implements format.Verb.
func (*Ask) Keyword() string { return "ask" }

// Role implements format.Verb.
func (*Ask) Role() format.Role { return format.Message }

// String implements format.Verb.
func (a *Ask) String() string { return strings.TrimSpace(a.Question) }

// Blocks implements Blocker.
func (a *Ask) Blocks() bool { return a.For != "" }

// ApplyDefaults implements format.Defaulter.
func (a *Ask) ApplyDefaults() { defaultTimeout(&a.Timeout) }

// Check implements format.Verb.
func (a *Ask) Check(c *format.Checker) {
	c.WaitFor("for", a.For, a.Timeout)
	if len(a.Choices) == 1 {
		c.Fail("choices", "two or more choices, or none", "one choice is not enough")
	}
	if len(a.Choices) > 1 && !slices.Contains(a.Choices, a.Answer) {
		c.Fail("answer", a.Choices[0], "the answer is not among the choices")
	}
}

// Announce implements Announcer.
func (a *Ask) Announce(step int) *trace.Record {
	return &trace.Record{Kind: trace.KindAsk, Ask: &trace.Ask{Step: step, Question: a.Question, Choices: a.Choices}}
}

// Remainder implements Questioner.
func (a *Ask) Remainder() Verb {
	if a.For == "" {
		return nil
	}
	return &Wait{For: a.For, Timeout: a.Timeout}
}

// Do implements Verb: it waits until For holds, and records the answer.
func (a *Ask) Do(ctx context.Context, w World) error {
	if a.For != "" {
		if err := w.Wait(ctx, "for", a.For, a.Timeout.Duration); errors.Is(err, ErrTimeout) {
			return late("ask, for %s: %v", a.For, err)
		} else if err != nil {
			return err
		}
	}
	err := w.Wait(ctx, "that", a.That, time.Nanosecond)
	if errors.Is(err, ErrTimeout) {
		return unmet("the answer %q is wrong: %s", a.Answer, w.Explain("that"))
	}
	if err == nil {
		w.Simulation().Recorder.Defer(&trace.Record{Kind: trace.KindAnswer, Answer: &trace.Answer{
			Step: w.Step(), Text: a.Answer, Explain: a.Explain,
		}}, trace.RankHandler, nil, nil, func(*trace.Record) {})
	}
	return err
}
