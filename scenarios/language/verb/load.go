package verb

import (
	"cmp"
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/cluster/metrics"
)

// loadRow is a change of a load.
var loadRow = Row{
	Syntax: format.Syntax{
		Of:  new(Load),
		Doc: "Changes a load of spec.cluster.load from now on.",
		Example: `- load: {name: web, total: 2}
- after: 5m
  load: {name: web, perPod: 200m}
`,
	},
	Commands: []Command{{
		Name: "load", Args: "NAME TOTAL|QUANTITY/pod", About: "change a load of cluster.load", Parse: parseLoad,
	}},
}

// parseLoad reads a total, such as 2, or the usage of each Pod, such as 200m/pod.
func parseLoad(args []string) (Verb, error) {
	l := &Load{Name: args[0]}
	if each, perPod := strings.CutSuffix(args[1], "/pod"); perPod {
		l.PerPod = notation.Quantity(each)
	} else {
		l.Total = notation.Quantity(args[1])
	}
	return l, nil
}

// Load sets a new level of a load and removes its later levels.
type Load struct {
	Name   string            `yaml:"name" required:"true" format:"name" example:"web" doc:"Name of a load in spec.cluster.load."`
	Total  notation.Quantity `yaml:"total,omitempty" oneOf:"true" example:"2" doc:"Total usage of all Pods. The Pods that are Ready share it equally."`
	PerPod notation.Quantity `yaml:"perPod,omitempty" oneOf:"true" example:"200m" doc:"Usage of each running Pod."`
}

// Keyword implements format.Verb.
func (*Load) Keyword() string { return "load" }

// Role implements format.Verb.
func (*Load) Role() format.Role { return format.Change }

// String implements format.Verb.
func (l *Load) String() string {
	if l.PerPod != "" {
		return l.Name + " to " + string(l.PerPod) + " per pod"
	}
	return l.Name + " to " + string(l.Total) + " in total"
}

// Check implements format.Verb.
func (l *Load) Check(c *format.Checker) { c.Level(l.Total, l.PerPod) }

// Probe implements Prober: the scenario must have the load.
func (l *Load) Probe(p Prospect) error {
	_, err := l.find(p.Scenario, p.Step)
	return err
}

// Do implements Verb.
func (l *Load) Do(_ context.Context, w World) error {
	n, err := l.find(w.Scenario(), w.Step())
	if err == nil {
		w.Metrics().Set(n, LevelOf(l.Total, l.PerPod))
	}
	return err
}

// find is the index of the load in the scenario.
func (l *Load) find(s *format.Scenario, step int) (int, error) {
	var names []string
	for i, load := range s.Spec.Cluster.Load {
		if load.Name == l.Name {
			return i, nil
		}
		names = append(names, load.Name)
	}
	try := cmp.Or(spelling.Nearest(l.Name, names), "declare it in spec.cluster.load")
	return 0, s.Errorf(format.StepPath(step)+".load.name", try, "unknown load %q", l.Name)
}

// LevelOf is the level of one of the two quantities. The loader has validated it.
func LevelOf(total, perPod notation.Quantity) metrics.Level {
	if perPod != "" {
		return metrics.Level{Value: resource.MustParse(string(perPod)), PerPod: true}
	}
	return metrics.Level{Value: resource.MustParse(string(total))}
}
