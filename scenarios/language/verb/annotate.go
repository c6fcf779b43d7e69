package verb

import (
	"context"

	"github.com/kubestep/kubestep/scenarios/language/format"
)

// annotateRow is kubectl annotate --overwrite.
var annotateRow = Row{
	Manager: "kubectl-annotate",
	Syntax: format.Syntax{
		Of:  new(Annotate),
		Doc: "As kubectl annotate --overwrite.",
		Example: `- annotate: {target: deployment/web, set: {kubernetes.io/change-cause: "web:v2, because of a leak"}}
`,
	},
}

// Annotate sets annotations of an object.
type Annotate Metadata

// Keyword implements format.Verb.
func (*Annotate) Keyword() string { return "annotate" }

// Role implements format.Verb.
func (*Annotate) Role() format.Role { return format.Request }

// String implements format.Verb.
func (m *Annotate) String() string { return (*Metadata)(m).String() }

// Check implements format.Verb.
func (m *Annotate) Check(c *format.Checker) { (*Metadata)(m).check(c, false) }

// Do implements Verb.
func (m *Annotate) Do(_ context.Context, w World) error { return (*Metadata)(m).set(w, "annotations") }
