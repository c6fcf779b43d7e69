package shrink

import (
	"context"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// manifests leaves out objects, and makes their numbers of Pods smaller: in steps, and in spec.cluster.objects.
func (s *session) manifests(ctx context.Context) error {
	for _, p := range s.draft.manifests() {
		if s.holds(s.draft, p[:len(p)-1]) {
			continue
		}
		for size := len(documents(s.draft.at(p).Value)) / 2; size > 0; size /= 2 {
			err := s.each(ctx, func(d *draft) []*draft { return texts(d, p, withoutDocuments(d.at(p).Value, size)) })
			if err != nil {
				return err
			}
		}
		if err := s.each(ctx, func(d *draft) []*draft { return texts(d, p, withFewerPods(d.at(p).Value)) }); err != nil {
			return err
		}
	}
	return nil
}

// manifests are the places of the texts that hold objects.
func (d *draft) manifests() (places []path) {
	if p, ok := d.pathOf("spec", "cluster", "objects"); ok {
		places = append(places, p)
	}
	base, ok := d.pathOf("spec", "steps")
	if !ok {
		return places
	}
	for i, step := range d.at(base).Content {
		for _, verb := range []string{"apply", "create"} {
			if field := indexOf(step, verb); field >= 0 {
				places = append(places, base.child(i).child(field))
			}
		}
	}
	return places
}

// texts are drafts with other texts of a manifest.
func texts(d *draft, p path, others []string) (out []*draft) {
	for _, text := range others {
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

// withoutDocuments are the texts without some documents, size of them at a time.
func withoutDocuments(text string, size int) (out []string) {
	all := documents(text)
	for from := 0; from < len(all) && size < len(all); from += size {
		rest := append(append([]string{}, all[:from]...), all[min(from+size, len(all)):]...)
		out = append(out, strings.TrimPrefix(strings.Join(rest, ""), "---\n"))
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

// podNumber is a number of Pods in a document, and where it is.
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
