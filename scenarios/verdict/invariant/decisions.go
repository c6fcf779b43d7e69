package invariant

import (
	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/decision"
	"github.com/kubestep/kubestep/sim/trace"
)

// decisions are the invariants about single decisions.
func decisions() []Invariant {
	var all []Invariant
	for _, rule := range decision.All() {
		all = append(all, Invariant{
			Name: rule.Name, Sentence: rule.Sentence, Forgives: rule.Forgives, Upstream: rule.Upstream,
			watch: func(r *Run) watcher {
				return &decided{rule: rule.Watch(&decision.Run{World: r, Views: r.views, Pods: r.pods, Broken: r.broken})}
			},
		})
	}
	return all
}

// decided is one of them at work.
type decided struct {
	passive
	rule decision.Watcher
}

func (d *decided) record(record *trace.Record) { d.rule.Record(record) }
func (d *decided) change(c *change)            { d.rule.Change(&c.Change) }
func (d *decided) hasLooked() bool             { return d.rule.HasLooked() }
