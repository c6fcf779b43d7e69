package verb

import (
	"context"
	"strings"

	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/sim/trace"
)

// noteRow is a text for the reader.
var noteRow = Row{
	Syntax: format.Syntax{
		Of:  new(Note),
		Doc: "Markdown that is shown when the run reaches the step.",
		Example: "- when: deployment('web').status.unavailableReplicas > 0\n" +
			"  note: |\n" +
			"    From here on fewer pods are available than `replicas` says.\n",
		Synonyms: map[string]string{
			"comment":     "note",
			"description": "note",
		},
	},
}

// Note is Markdown for the reader.
type Note string

// Keyword implements format.Verb.
func (*Note) Keyword() string { return "note" }

// Role implements format.Verb.
func (*Note) Role() format.Role { return format.Message }

// String implements format.Verb.
func (*Note) String() string { return "" }

// Describe implements format.Describer.
func (n *Note) Describe() string {
	first, _, more := strings.Cut(strings.TrimSpace(string(*n)), "\n")
	if more {
		first += " ..."
	}
	return "note: " + first
}

// Check implements format.Verb.
func (*Note) Check(*format.Checker) {}

// Announce implements Announcer.
func (n *Note) Announce(int) *trace.Record {
	return &trace.Record{Kind: trace.KindNote, Note: &trace.Note{Text: string(*n)}}
}

// Do implements Verb.
func (*Note) Do(context.Context, World) error { return nil }

// Placeholder is a step that only takes its time.
func Placeholder(text string) Verb {
	n := Note(text)
	return &n
}
