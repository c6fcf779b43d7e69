package verb

import (
	"context"

	"github.com/kubestep/kubestep/scenarios/language/format"
)

// uncordonRow is kubectl uncordon.
var uncordonRow = Row{
	Syntax: format.Syntax{
		Of:      new(Uncordon),
		Doc:     "As kubectl uncordon: Pods can be scheduled to a node again.",
		Value:   "node-1",
		Example: "- uncordon: node-1\n",
	},
	Commands: []Command{{
		Name: "uncordon", Args: "NODE", About: "let Pods be scheduled to a node again",
		Parse:    func(args []string) (Verb, error) { node := Uncordon(args[0]); return &node, nil },
		Complete: []Completion{nodes},
	}},
}

// Uncordon removes the mark of Cordon.
type Uncordon string

// Keyword implements format.Verb.
func (*Uncordon) Keyword() string { return "uncordon" }

// Role implements format.Verb.
func (*Uncordon) Role() format.Role { return format.Request }

// String implements format.Verb.
func (n *Uncordon) String() string { return string(*n) }

// Check implements format.Verb.
func (n *Uncordon) Check(c *format.Checker) { checkNode(c, "", string(*n)) }

// Do implements Verb.
func (n *Uncordon) Do(ctx context.Context, w World) error {
	return cordon(drainer(ctx, w), string(*n), false)
}
