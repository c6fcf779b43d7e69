package shrink

import (
	"context"
	"strconv"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// numbers makes numbers smaller: replicas, nodes, how often a fault strikes.
func (s *session) numbers(ctx context.Context) error {
	return s.scalars(ctx, func(node *yaml.Node) []string {
		n, err := strconv.Atoi(node.Value)
		if err != nil || node.ShortTag() != "!!int" {
			return nil
		}
		return smaller(n)
	})
}

// smaller are numbers to try instead of n, the smallest first.
func smaller(n int) []string {
	var out []string
	for _, m := range []int{1, 2, 3, n / 2} {
		if m < n && m > 0 {
			out = append(out, strconv.Itoa(m))
		}
	}
	return out
}

// times makes ranges that the seed draws from single times, and times short and round.
func (s *session) times(ctx context.Context) error {
	return s.scalars(ctx, func(node *yaml.Node) []string {
		delay, err := notation.ParseDelay(node.Value)
		if err != nil || delay.Never || node.ShortTag() != "!!str" {
			return nil
		}
		if delay.Min != delay.Max {
			return []string{
				notation.Duration{Duration: delay.Min}.String(), notation.Duration{Duration: delay.Max}.String(),
			}
		}
		var out []string
		for _, d := range []time.Duration{time.Second, (delay.Max / 2).Truncate(time.Second), delay.Max.Truncate(time.Second)} {
			if d > 0 && d < delay.Max {
				out = append(out, notation.Duration{Duration: d}.String())
			}
		}
		return out
	})
}

// sooner lets late steps happen sooner. Until the first cut of the horizon, each run lasts as long as the original, and the horizon cannot
// be shorter than the time of a step: a step at 3h makes hundreds of runs last three hours.
func (s *session) sooner(ctx context.Context) error {
	p, ok := s.draft.pathOf("spec", "steps")
	if !ok {
		return nil
	}
	for i := range s.draft.at(p).Content {
		for _, name := range []string{"at", "after"} {
			step := p.child(i)
			field := indexOf(s.draft.at(step), name)
			if field < 0 || s.keeps(s.draft, step) {
				continue
			}
			var candidates []*draft
			for _, d := range soonerThan(s.draft.at(step).Content[field].Value) {
				candidates = append(candidates, s.draft.with(step.child(field), notation.Duration{Duration: d}.String()))
			}
			if _, err := s.first(ctx, candidates); err != nil {
				return err
			}
		}
	}
	return nil
}

// soonerThan are times to try instead of a late one, the earliest first. The pass for all times makes early ones shorter.
func soonerThan(value string) (times []time.Duration) {
	delay, err := notation.ParseDelay(value)
	if err != nil || delay.Never || delay.Min != delay.Max || delay.Max <= restAfter {
		return nil
	}
	for _, d := range []time.Duration{10 * time.Second, time.Minute, 10 * time.Minute, (delay.Max / 2).Truncate(time.Second)} {
		if d < delay.Max {
			times = append(times, d)
		}
	}
	return times
}

// scalars tries other texts for each scalar of the spec, but not for the seed, and not in what fails.
func (s *session) scalars(ctx context.Context, simpler func(node *yaml.Node) []string) error {
	p, ok := s.draft.pathOf("spec")
	if !ok {
		return nil
	}
	var visit func(p path, name string) error
	visit = func(p path, name string) error {
		node := s.draft.at(p)
		if name == "seed" || s.keeps(s.draft, p) {
			return nil
		}
		if node.Kind == yaml.ScalarNode {
			var candidates []*draft
			for _, value := range simpler(node) {
				candidates = append(candidates, s.draft.with(p, value))
			}
			_, err := s.first(ctx, candidates)
			return err
		}
		for i := range node.Content {
			name := ""
			if node.Kind == yaml.MappingNode {
				if i%2 == 0 {
					continue
				}
				name = node.Content[i-1].Value
			}
			if err := visit(p.child(i), name); err != nil {
				return err
			}
		}
		return nil
	}
	return visit(p, "")
}

// setPoint replaces the space of a fault by the point that a seed drew.
func setPoint(node *yaml.Node, rule *format.FaultRule) {
	draw := node.Content[indexOf(node, "draw")]
	has := func(name string) bool { return indexOf(draw, name) >= 0 }
	about := indexOf(node, "request")
	if about < 0 {
		about = indexOf(node, "watch")
	}
	if has("at") {
		setField(node, "at", rule.At.String())
	}
	if has("nth") {
		setField(node, "nth", strconv.Itoa(rule.Nth))
	}
	if has("times") {
		setField(node, "times", strconv.Itoa(rule.Times))
	}
	for _, drawn := range []struct {
		name string
		span *notation.Duration
	}{{"for", rule.For}, {"stale", rule.Stale}, {"restartAfter", rule.Restart}} {
		if has(drawn.name) {
			setField(node, drawn.name, drawn.span.String())
		}
	}
	if has("write") {
		setField(node.Content[about], "write", strconv.Itoa(rule.Request.Write))
	}
	if has("actor") && rule.Watch != nil {
		setField(node.Content[about], "actor", rule.Watch.Actor)
	} else if has("actor") {
		setField(node.Content[about], "actor", rule.Request.Actor)
	}
	removeField(node, "draw")
}
