package shrink

import (
	"context"
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// control is a way in which a scenario passes that fails otherwise: it shows that the check can hold.
type control struct {
	name string
	of   func(d *draft) *draft
}

// findControls learns in which ways the original passes: with other seeds, or else without its faults, and without watch latency.
// The last way is for scenarios that fail with more seeds the smaller they are. If waits are left out, for example, more happens
// at the same time, and the scenario soon fails with all seeds with which the original passes.
//
// A run with choices passes in the default order, if its order is what makes it fail.
func (s *session) findControls(ctx context.Context) error {
	if s.Orders != nil {
		s.guarded = true
		return s.addControl(ctx, control{"in the default order", inDefaultOrder})
	}
	for _, seed := range s.nearby(passingSeeds) {
		c := control{fmt.Sprintf("with seed %d", seed), func(d *draft) *draft { return d.reseed(seed) }}
		if err := s.addControl(ctx, c); err != nil {
			return err
		}
	}
	if len(s.controls) == 0 {
		if err := s.addControl(ctx, control{"without its faults", withoutFaults}); err != nil {
			return err
		}
	}
	s.guarded = true
	return s.addControl(ctx, control{"without watch latency", withoutWatchLatency})
}

// addControl adds a way in which the original passes, if it does.
func (s *session) addControl(ctx context.Context, c control) error {
	passes, err := s.passes(ctx, c.of(s.draft))
	if passes {
		s.controls = append(s.controls, c)
	}
	return err
}

func (s *session) passes(ctx context.Context, d *draft) (bool, error) {
	report, err := s.play(ctx, d, d.seed)
	return err == nil && report.Result == runner.Pass, err
}

// passing is the name of a way in which a draft passes; empty if there is none.
func (s *session) passing(ctx context.Context, d *draft) (string, error) {
	for _, c := range s.controls {
		if passes, err := s.passes(ctx, c.of(d)); passes || err != nil {
			return c.name, err
		}
	}
	return "", nil
}

// sameReason reports whether a draft may fail for the reason for which the original does: it can pass, or, if the
// original fails in every way, the failure at least has the same words.
func (s *session) sameReason(ctx context.Context, d *draft, failure child.Failure) (bool, error) {
	if len(s.controls) == 0 {
		if s.verdict != "" {
			// Its end, which says why, is the same (fails).
			return true, nil
		}
		return child.Words(failure.Message) == s.words, nil
	}
	name, err := s.passing(ctx, d)
	return name != "", err
}

// inDefaultOrder is a draft in which what was sent first happens first.
func inDefaultOrder(d *draft) *draft {
	out := d.clone()
	out.orders = &child.Orders{}
	return out
}

// withoutFaults is a draft in which nothing is made to go wrong.
func withoutFaults(d *draft) *draft {
	out := d.clone()
	removeField(out.find("spec"), "faults")
	scenario, err := format.Parse("scenario.yaml", d.text(), verb.All)
	if err != nil {
		return out // the run says what is wrong
	}
	steps := out.find("spec", "steps")
	var kept []*yaml.Node
	for i, step := range steps.Content {
		if !scenario.Spec.Steps[i].Perturbs() {
			kept = append(kept, step)
		}
	}
	steps.Content, out.step = kept, -1
	return out
}

// withoutWatchLatency is a draft in which no cache is behind.
func withoutWatchLatency(d *draft) *draft {
	out := d.clone()
	cluster := childOf(out.find("spec"), "cluster")
	setField(childOf(cluster, "latency"), "watch", "0s")
	return out
}
