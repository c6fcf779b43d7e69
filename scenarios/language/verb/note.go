package verb

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/trace"
)

// noteRow is a text for the reader.
var noteRow = Row{
	Syntax: format.Syntax{
		Of:  new(Note),
		Doc: "Markdown that is shown when the run reaches the step: a text, or a mapping with what proves it.",
		Example: "- when: deployment('web').status.unavailableReplicas > 0\n" +
			"  note: |\n" +
			"    From here on fewer pods are available than `replicas` says.\n" +
			"- note:\n" +
			"    text: Three Pods of version 1 are left.\n" +
			"    that: size(pods('app=web').filter(p, image(p) == 'web:v1')) == 3\n",
		Synonyms: map[string]string{
			"comment":     "note",
			"description": "note",
		},
		FieldSynonyms: map[string]string{
			"check":     "that",
			"condition": "that",
			"message":   "text",
		},
	},
}

// Note is Markdown for the reader. The run fails at a note that says what is not true, so that a text cannot drift from what happens.
type Note struct {
	Text string `yaml:"text" short:"true" required:"true" example:"Three Pods are left." doc:"Markdown."`
	That string `yaml:"that,omitempty" cel:"true" example:"size(pods('app=web')) == 3" doc:"CEL condition that is true when the note is shown. Otherwise the run fails."`
}

// Keyword implements format.Verb.
func (*Note) Keyword() string { return "note" }

// Role implements format.Verb.
func (*Note) Role() format.Role { return format.Message }

// String implements format.Verb.
func (*Note) String() string { return "" }

// Describe implements format.Describer.
func (n *Note) Describe() string {
	first, _, more := strings.Cut(strings.TrimSpace(n.Text), "\n")
	if more {
		first += " ..."
	}
	return "note: " + first
}

// Check implements format.Verb.
func (*Note) Check(*format.Checker) {}

// Announce implements Announcer.
func (n *Note) Announce(int) *trace.Record {
	return &trace.Record{Kind: trace.KindNote, Note: &trace.Note{Text: n.Text}}
}

// MarshalYAML writes a note without a condition as its text.
func (n *Note) MarshalYAML() (any, error) {
	if n.That == "" {
		return n.Text, nil
	}
	type plain Note
	return (*plain)(n), nil
}

// Remainder implements Questioner: a branch shows no note that holds for the scenario's own run only.
func (n *Note) Remainder() Verb {
	if n.That != "" {
		return nil
	}
	return n
}

// Do implements Verb: it proves the note.
func (n *Note) Do(ctx context.Context, w World) error {
	if n.That == "" {
		return nil
	}
	err := w.Wait(ctx, "that", n.That, time.Nanosecond)
	if errors.Is(err, ErrTimeout) {
		return unmet("the note is false: %s", w.Explain("that"))
	}
	return err
}

// Placeholder is a step that only takes its time.
func Placeholder(text string) Verb { return &Note{Text: text} }
