package place

import (
	"cmp"
	"iter"
	"slices"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// At are the places of a run at one record: that of a request, of a watch event, or of a timer. None are those of a record to which no
// fault applies, such as a read, or a request of a stand-in. Their rules begin at the time of the record, and count from then on, so that
// they can be steps of a branch.
func At(s *format.Scenario, run iter.Seq[*trace.Record], seq int64) []Place {
	look := NewLook(s)
	look.nearby, look.only = true, seq
	for record := range run {
		look.Note(record, nil)
	}
	return look.Places()
}

// Steps are the fault as steps of a branch. A rule of a scenario that has one of the same name gets another one.
func (p *Place) Steps(s *format.Scenario) []format.Step {
	taken := map[string]bool{}
	s.EachFault(func(_ string, f *format.FaultRule) { taken[f.Name] = true })
	var steps []format.Step
	for _, rule := range p.Rules {
		for taken[rule.Name] {
			rule.Name = SecondName(rule.Name)
		}
		taken[rule.Name] = true
		at := cmp.Or(rule.At, notation.NewDuration(Rounded(p.At)))
		rule.At = nil
		steps = append(steps, format.Step{At: at, Verb: verb.OfRule(&rule)})
	}
	slices.SortStableFunc(steps, func(a, b format.Step) int { return cmp.Compare(a.At.Duration, b.At.Duration) })
	return steps
}
