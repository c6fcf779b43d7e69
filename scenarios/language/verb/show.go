package verb

import (
	"context"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/trace"
)

// Components are those of a cluster that Show can name beside controllers.
var Components = []string{"kubectl", "kube-controller-manager", "kube-scheduler", "kubelet"}

// showRow is a direction for the reader's screen.
var showRow = Row{
	Syntax: format.Syntax{
		Of:  new(Show),
		Doc: "Which view the reader sees from here on, and what is in it. The reader may look elsewhere.",
		Example: `- show: {view: components, focus: [deployment-controller, replicaset-controller]}
# Two workloads are shown beside each other.
- show: {view: rollout, focus: [deployment/blue, deployment/green]}
`,
		Synonyms: map[string]string{
			"view":  "show: {view: VIEW}",
			"focus": "show: {view: VIEW, focus: [NAME]}",
		},
	},
}

// Show is a direction for the reader's screen.
type Show struct {
	View  string   `yaml:"view" required:"true" example:"components" enum:"@views" doc:"The view that opens, as its word in a link."`
	Focus []string `yaml:"focus,omitempty" example:"[deployment/web, replicaset-controller]" doc:"What is in it: objects, of which two workloads are shown beside each other, and components such as kube-scheduler or a controller, also one of spec.controllers."`
}

// Keyword implements format.Verb.
func (*Show) Keyword() string { return "show" }

// Role implements format.Verb.
func (*Show) Role() format.Role { return format.Message }

// String implements format.Verb.
func (s *Show) String() string { return strings.Join(append([]string{s.View}, s.Focus...), " ") }

// Check implements format.Verb.
func (s *Show) Check(c *format.Checker) {
	for _, name := range s.Focus {
		if strings.Contains(name, "/") {
			if _, err := notation.ParseTarget(c.Scenario().Kinds(), name); err != nil {
				c.Fail("focus", "[deployment/web]", "%v", err)
			}
			continue
		}
		// Controllers of the scenario's own have any name: podcounter.
		components := slices.Concat(Components, c.Scenario().Spec.Controllers)
		if slices.Contains(components, name) || strings.HasSuffix(name, "-controller") {
			continue
		}
		try := "[deployment/" + name + "]"
		if near := spelling.Nearest(name, components); near != "" {
			try = "[" + near + "]"
		}
		c.Fail("focus", try, "%q is neither KIND/NAME nor a component", name)
	}
}

// Announce implements Announcer.
func (s *Show) Announce(step int) *trace.Record {
	return &trace.Record{Kind: trace.KindShow, Show: &trace.Show{Step: step, View: s.View, Focus: s.Focus}}
}

// Do implements Verb.
func (*Show) Do(context.Context, World) error { return nil }
