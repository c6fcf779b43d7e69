package shrink

import (
	"context"
	"reflect"
	"strconv"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// steps leaves out steps, but not the one that fails.
func (s *session) steps(ctx context.Context) error { return s.list(ctx, "spec", "steps") }

// faults leaves out standing rules.
func (s *session) faults(ctx context.Context) error { return s.list(ctx, "spec", "faults") }

// list leaves out items of a list.
func (s *session) list(ctx context.Context, names ...string) error {
	p, ok := s.draft.pathOf(names...)
	if !ok || s.draft.at(p).Kind != yaml.SequenceNode {
		return nil
	}
	return s.items(ctx, p)
}

// items leaves out items of the list at a path: all of them, halves, quarters, down to single ones.
func (s *session) items(ctx context.Context, p path) error {
	for size := len(s.draft.at(p).Content); size > 0; size /= 2 {
		err := s.each(ctx, func(d *draft) (candidates []*draft) {
			list := d.at(p)
			for from := 0; from < len(list.Content); from += size {
				if c := s.cut(d, p, from, min(from+size, len(list.Content))); c != nil {
					candidates = append(candidates, c)
				}
			}
			return candidates
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pairedSteps is the number of steps up to which all pairs of them are tried, so that they are 66 at most.
const pairedSteps = 12

// pairs leaves out two steps together that can be left out only together, such as one that pauses a rollout and one that
// resumes it.
func (s *session) pairs(ctx context.Context) error {
	p, ok := s.draft.pathOf("spec", "steps")
	if !ok || len(s.draft.at(p).Content) > pairedSteps {
		return nil
	}
	return s.each(ctx, func(d *draft) (candidates []*draft) {
		n := len(d.at(p).Content)
		for first := range n {
			for second := first + 1; second < n; second++ {
				without := s.cut(d, p, second, second+1)
				if without == nil {
					continue
				}
				if without = s.cut(without, p, first, first+1); without != nil {
					candidates = append(candidates, without)
				}
			}
		}
		return candidates
	})
}

// cut leaves out the items from..to-1 of a list, but not what fails; nil if that is nothing.
func (s *session) cut(d *draft, p path, from, to int) *draft {
	out := d.clone()
	list := out.at(p)
	var kept []*yaml.Node
	steps := isSameNode(d, p, "spec", "steps")
	for i, item := range list.Content {
		if i < from || i >= to || s.keeps(d, p.child(i)) {
			if steps && i == d.step {
				out.step = len(kept)
			}
			kept = append(kept, item)
		}
	}
	if len(kept) == len(list.Content) {
		return nil
	}
	list.Content = kept
	return out
}

// isSameNode reports whether a path leads to a field.
func isSameNode(d *draft, p path, names ...string) bool {
	return d.find(names...) == d.at(p)
}

// keeps reports whether a node is what fails: the check, or the step. It stays as it is.
func (s *session) keeps(d *draft, p path) bool {
	node := d.at(p)
	if steps := d.find("spec", "steps"); d.step >= 0 && steps != nil && steps.Content[d.step] == node {
		return true
	}
	checks := d.find("spec", "checks")
	if checks == nil || s.check == "" {
		return false
	}
	for _, check := range checks.Content {
		if i := indexOf(check, "name"); check == node && i >= 0 && check.Content[i].Value == s.check {
			return true
		}
	}
	return false
}

// needed are the fields without which a file is not a scenario, the seed, and the horizon, whose default is long.
var needed = map[string]bool{
	"apiVersion": true, "kind": true, "metadata": true, "name": true, "spec": true, "title": true, "steps": true,
	"seed": true, "horizon": true,
}

// limit is a field that says of how many things a step does something: without it, the step does it to all.
const limit = "count"

// nodes is the number of Nodes. A file without them is shorter, but has the default number.
func (d *draft) nodes() int {
	pools := d.find("spec", "cluster", "nodes")
	if pools == nil {
		return format.DefaultNodeCount
	}
	sum := 0
	for _, pool := range pools.Content {
		if i := indexOf(pool, limit); i >= 0 {
			n, _ := strconv.Atoi(pool.Content[i].Value)
			sum += n
		}
	}
	return sum
}

// fields leaves out every other field and item, from the top of the file down.
func (s *session) fields(ctx context.Context) error { return s.below(ctx, nil) }

func (s *session) below(ctx context.Context, p path) error {
	if s.keeps(s.draft, p) {
		return nil
	}
	var err error
	switch s.draft.at(p).Kind {
	case yaml.SequenceNode:
		err = s.items(ctx, p)
	case yaml.MappingNode:
		err = s.each(ctx, func(d *draft) (candidates []*draft) {
			node := d.at(p)
			for i := 0; i+1 < len(node.Content); i += 2 {
				value := node.Content[i+1]
				name := node.Content[i].Value
				if needed[name] || name == limit || listsControllers(d, value) || s.holds(d, p.child(i+1)) {
					continue
				}
				if candidate := d.without(p, i, i+2); candidate.nodes() <= d.nodes() {
					candidates = append(candidates, candidate)
				}
			}
			return candidates
		})
	}
	for i := 0; err == nil && i < len(s.draft.at(p).Content); i++ {
		err = s.below(ctx, p.child(i))
	}
	return err
}

// listsControllers reports whether a node has the list of controllers, without which there are more of them.
func listsControllers(d *draft, node *yaml.Node) bool {
	list := d.find("spec", "kubernetes", "controllers")
	return list != nil && (node == list || node == d.find("spec", "kubernetes"))
}

// holds reports whether what fails is below a node.
func (s *session) holds(d *draft, p path) bool {
	if s.keeps(d, p) {
		return true
	}
	for i := range d.at(p).Content {
		if s.holds(d, p.child(i)) {
			return true
		}
	}
	return false
}

// horizon ends the run soon after the failure, or after it is at rest.
func (s *session) horizon(ctx context.Context) error {
	scenario, err := format.Parse(s.File, s.draft.text(), verb.All)
	if err != nil {
		return err
	}
	ends := []time.Duration{ceil(s.failure.At) + time.Second}
	if s.standsStill() {
		// A controller may still retry, and a fault act, after the last change.
		rest := ceil(s.settled) + restAfter
		ends = []time.Duration{rest + time.Second, rest + 2*time.Minute, rest + 5*time.Minute}
	}
	var candidates []*draft
	for _, end := range ends {
		if end < scenario.Spec.Horizon.Duration {
			out := s.draft.clone()
			setField(out.find("spec"), horizon, notation.Duration{Duration: end}.String())
			candidates = append(candidates, out)
		}
	}
	_, err = s.first(ctx, candidates)
	return err
}

// standsStill reports whether the run must be at rest.
func (s *session) standsStill() bool { return s.rests || s.verdict != "" && s.verdict != runner.Hot }

// pin writes what the seed drew of each fault into the fault.
func (s *session) pin(ctx context.Context) error {
	scenario, err := format.Parse(s.File, s.draft.text(), verb.All)
	if err != nil {
		return err
	}
	if err := s.pinSteps(ctx, scenario); err != nil {
		return err
	}
	points := verb.Points(scenario, s.draft.seed)
	for i := range scenario.Spec.Faults {
		if rule, ok := points[format.FaultPath(i)]; ok {
			if err := s.pinAt(ctx, rule, "spec", "faults", i); err != nil {
				return err
			}
		}
	}
	for i := range scenario.Spec.Steps {
		word := scenario.Spec.Steps[i].Verb.Keyword()
		if rule, ok := points[format.StepPath(i)+"."+word]; ok {
			if err := s.pinAt(ctx, rule, "spec", "steps", i, word); err != nil {
				return err
			}
		}
	}
	return nil
}

// pinSteps writes what the seed drew of each step and of each group of nodes into the scenario.
func (s *session) pinSteps(ctx context.Context, scenario *format.Scenario) error {
	drawn := verb.Draw(scenario, s.draft.seed)
	for i, pool := range scenario.Spec.Cluster.Nodes {
		if pool.Draw == nil {
			continue
		}
		out := s.draft.clone()
		node := out.find("spec", "cluster", "nodes").Content[i]
		setField(node, "count", strconv.Itoa(drawn.Spec.Cluster.Nodes[i].Count))
		removeField(node, "draw")
		if _, err := s.first(ctx, []*draft{out}); err != nil {
			return err
		}
	}
	for i, step := range scenario.Spec.Steps {
		d := step.Draw
		if d == nil {
			continue
		}
		out := s.draft.clone()
		node, now := out.find("spec", "steps").Content[i], drawn.Spec.Steps[i]
		if d.At != nil {
			setField(node, "at", now.At.String())
		}
		if d.After != nil {
			setField(node, "after", now.After.String())
		}
		word := step.Verb.Keyword()
		for _, size := range []struct {
			name string
			of   *notation.Range
		}{{"replicas", d.Replicas}, {"count", d.Count}} {
			if field := format.SizeField(step.Verb, size.name); size.of != nil && field >= 0 {
				value := reflect.ValueOf(now.Verb).Elem().Field(field).Int()
				setField(node.Content[indexOf(node, word)], size.name, strconv.FormatInt(value, 10))
			}
		}
		switch value := node.Content[indexOf(node, word)]; {
		case d.Restart != nil:
			at := format.SpanField(step.Verb, "restartAfter")
			setField(value, "restartAfter", reflect.ValueOf(now.Verb).Elem().Field(at).Interface().(*notation.Duration).String())
		case d.Replicas != nil && value.Kind == yaml.ScalarNode:
			value.Value = reflect.ValueOf(now.Verb).Elem().String()
		}
		removeField(node, "draw")
		if _, err := s.first(ctx, []*draft{out}); err != nil {
			return err
		}
	}
	return nil
}

// pinAt replaces the space of the fault at a place, which names and indices lead to, by its point.
func (s *session) pinAt(ctx context.Context, rule format.FaultRule, place ...any) error {
	out := s.draft.clone()
	node := out.root.Content[0]
	for _, part := range place {
		switch part := part.(type) {
		case int:
			node = node.Content[part]
		case string:
			node = node.Content[indexOf(node, part)]
		}
	}
	setPoint(node, &rule)
	_, err := s.first(ctx, []*draft{out})
	return err
}
