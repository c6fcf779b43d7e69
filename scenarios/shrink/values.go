package shrink

import (
	"context"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios"
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
		delay, err := scenarios.ParseDelay(node.Value)
		if err != nil || delay.Never || node.ShortTag() != "!!str" {
			return nil
		}
		if delay.Min != delay.Max {
			return []string{
				scenarios.Duration{Duration: delay.Min}.String(), scenarios.Duration{Duration: delay.Max}.String(),
			}
		}
		var out []string
		for _, d := range []time.Duration{time.Second, (delay.Max / 2).Truncate(time.Second), delay.Max.Truncate(time.Second)} {
			if d > 0 && d < delay.Max {
				out = append(out, scenarios.Duration{Duration: d}.String())
			}
		}
		return out
	})
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

// manifests leaves out objects, and makes their numbers of Pods smaller.
func (s *session) manifests(ctx context.Context) error {
	steps := s.draft.find("spec", "steps")
	if steps == nil {
		return nil
	}
	base, _ := s.draft.pathOf("spec", "steps")
	for i, step := range steps.Content {
		for _, verb := range []string{"apply", "create"} {
			field := indexOf(step, verb)
			if field < 0 || i == s.draft.step {
				continue
			}
			p := base.child(i).child(field)
			err := s.each(ctx, func(d *draft) []*draft { return texts(d, p, withoutDocuments) })
			if err == nil {
				err = s.each(ctx, func(d *draft) []*draft { return texts(d, p, withFewerPods) })
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// texts are drafts with other texts of a manifest.
func texts(d *draft, p path, others func(text string) []string) (out []*draft) {
	for _, text := range others(d.at(p).Value) {
		out = append(out, d.with(p, text))
	}
	return out
}

// documents cuts a manifest at the lines between its documents, which begin the one behind them.
func documents(text string) []string {
	var out []string
	for line := range strings.SplitAfterSeq(text, "\n") {
		if strings.HasPrefix(line, "---") || len(out) == 0 {
			out = append(out, "")
		}
		out[len(out)-1] += line
	}
	return out
}

// withoutDocuments are the texts with one document less.
func withoutDocuments(text string) (out []string) {
	all := documents(text)
	for i := range all {
		if len(all) == 1 {
			break
		}
		rest := strings.Join(append(append([]string{}, all[:i]...), all[i+1:]...), "")
		rest = strings.TrimPrefix(rest, "---\n")
		out = append(out, rest)
	}
	return out
}

// withFewerPods are the texts in which one object asks for fewer Pods.
func withFewerPods(text string) (out []string) {
	all := documents(text)
	for i, document := range all {
		for _, number := range podNumbers(document) {
			for _, value := range smaller(number.n) {
				changed := append([]string{}, all...)
				changed[i] = number.replace(document, value)
				out = append(out, strings.Join(changed, ""))
			}
		}
	}
	return out
}

// podNumber is a number of Pods in a document, and where it stands.
type podNumber struct{ n, line, column, length int }

func (p podNumber) replace(text, value string) string {
	lines := strings.SplitAfter(text, "\n")
	line := lines[p.line-1]
	lines[p.line-1] = line[:p.column-1] + value + line[p.column-1+p.length:]
	return strings.Join(lines, "")
}

// podNumbers finds the numbers of Pods that an object asks for.
func podNumbers(document string) (out []podNumber) {
	var root yaml.Node
	if yaml.Unmarshal([]byte(document), &root) != nil || len(root.Content) == 0 {
		return nil
	}
	i := indexOf(root.Content[0], "spec")
	if i < 0 {
		return nil
	}
	spec := root.Content[0].Content[i]
	for _, name := range []string{"replicas", "completions", "parallelism"} {
		i := indexOf(spec, name)
		if i < 0 {
			continue
		}
		node := spec.Content[i]
		if n, err := strconv.Atoi(node.Value); err == nil && node.Kind == yaml.ScalarNode && node.Style == 0 {
			out = append(out, podNumber{n, node.Line, node.Column, len(node.Value)})
		}
	}
	return out
}

// setPoint replaces the space of a fault by the point that a seed drew.
func setPoint(node *yaml.Node, rule *scenarios.FaultRule) {
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
