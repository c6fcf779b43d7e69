package verb

import (
	"context"

	"github.com/kubestep/kubestep/scenarios/language/format"
)

// labelRow is kubectl label --overwrite.
var labelRow = Row{
	Manager: "kubectl-label",
	Syntax: format.Syntax{
		Of:  new(Label),
		Doc: "As kubectl label --overwrite.",
		Example: `- label: {target: node/node-1, set: {disk: ssd, old-label: null}}
`,
	},
}

// Label sets labels of an object.
type Label Metadata

// Keyword implements format.Verb.
func (*Label) Keyword() string { return "label" }

// Role implements format.Verb.
func (*Label) Role() format.Role { return format.Request }

// String implements format.Verb.
func (m *Label) String() string { return (*Metadata)(m).String() }

// Check implements format.Verb.
func (m *Label) Check(c *format.Checker) { (*Metadata)(m).check(c, true) }

// Do implements Verb.
func (m *Label) Do(_ context.Context, w World) error { return (*Metadata)(m).set(w, "labels") }
