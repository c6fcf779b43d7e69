package snapshot

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/scenarios/definition"
	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/verb"
	"github.com/kubestep/kubestep/sim/kinds"
)

// Options say how to read a dump.
type Options struct {
	// Name is metadata.name of the scenario; Source is how messages and the description call the dump.
	Name, Source string
	// Namespaces are those to take; without any, all but the system's.
	Namespaces []string
}

// snapshot is a dump on its way to a scenario.
type snapshot struct {
	options Options
	// kinds are Kubernetes' own, and those whose definitions are in the dump.
	kinds   *kinds.Table
	objects []*unstructured.Unstructured
	byTitle map[string]*unstructured.Unstructured
	events  events
	report  Report
	// dumped are the objects of the dump without those that are created, at is about when it was taken, and lacks are the
	// resources that it should have.
	dumped []*unstructured.Unstructured
	at     time.Time
	lacks  []string
	// incomplete means that owners are missing.
	incomplete bool
	// hangs are the Pods that their kubelets do not stop.
	hangs []*unstructured.Unstructured
}

// Scenario reads a dump and returns the file of a scenario that begins in its state. Errors are *Error.
func Scenario(in io.Reader, options Options) ([]byte, *Report, error) {
	all, err := read(in)
	if err != nil {
		return nil, nil, err
	}
	s := &snapshot{options: options, byTitle: map[string]*unstructured.Unstructured{}, events: events{}, at: newest(all)}
	s.kinds = definition.TableOf(all)
	s.choose(all)
	if len(s.objects) == 0 {
		return nil, nil, &Error{"contains nothing that a scenario can start from; " + strings.Join(s.report.Omitted, "; "), howToDump}
	}
	if err := s.clean(); err != nil {
		return nil, nil, err
	}
	s.dumped = slices.Clone(s.objects)
	s.complete()
	s.deletions()
	s.absent()
	s.unscheduled()
	s.missing()
	restored := counts{}
	for _, o := range s.objects {
		restored[o.GetKind()]++
	}
	s.report.Restored = restored.String()
	text, err := s.encode()
	if err != nil {
		return nil, nil, err
	}
	if len(text) > format.FileSizeMax {
		return nil, nil, &Error{
			fmt.Sprintf("makes a scenario of %d KiB, and a scenario has at most %d KiB", len(text)>>10, format.FileSizeMax>>10),
			"a dump of one namespace: kubectl get ... -n shop -o yaml, or kubestep init --from dump.yaml -n shop",
		}
	}
	if _, err := format.Parse(options.Source, text, verb.All); err != nil {
		return nil, nil, err
	}
	return text, &s.report, nil
}

// file is a scenario with its fields in the order in which people read them.
type file struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name string `yaml:"name"`
	} `yaml:"metadata,flow"`
	Spec struct {
		Title      string `yaml:"title"`
		About      string `yaml:"about"`
		Start      string `yaml:"start,omitempty"`
		Kubernetes struct {
			Controllers []string `yaml:"controllers"`
		} `yaml:"kubernetes"`
		Cluster struct {
			Nodes   *yaml.Node `yaml:"nodes,omitempty"`
			Pods    []podRule  `yaml:"pods,omitempty"`
			Objects string     `yaml:"objects"`
		} `yaml:"cluster"`
		Steps yaml.Node `yaml:"steps"`
	} `yaml:"spec"`
}

// firstSteps are the steps of the scenario, with an invitation.
const firstSteps = `
# What happened next? Add it here: a verb of kubectl, a fault, a node that fails. kubestep list shows examples,
# and docs/reference/scenario-format.md lists all verbs.
- wait: {for: quiet 1m}
`

func (s *snapshot) encode() ([]byte, error) {
	f := file{APIVersion: format.APIVersion, Kind: format.Kind}
	f.Metadata.Name = s.options.Name
	f.Spec.Title = "What happens next in the cluster of " + s.options.Source
	if !s.at.IsZero() {
		f.Spec.Start = s.at.UTC().Add(time.Second - 1).Truncate(time.Second).Format(time.RFC3339)
	}
	f.Spec.Kubernetes.Controllers = s.controllers()
	f.Spec.Cluster.Pods = s.podRules()
	f.Spec.About = s.about()
	if slices.ContainsFunc(s.objects, func(o *unstructured.Unstructured) bool { return o.GetKind() == "Node" }) {
		f.Spec.Cluster.Nodes = &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	}
	manifests, err := s.manifests()
	if err != nil {
		return nil, err
	}
	f.Spec.Cluster.Objects = manifests
	var steps yaml.Node
	if err := yaml.Unmarshal([]byte(firstSteps), &steps); err != nil {
		return nil, err
	}
	f.Spec.Steps = *steps.Content[0] // without the document around it
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(f); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

// about describes the state in Markdown.
func (s *snapshot) about() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s, in the state", s.report.Restored)
	if s.at.IsZero() {
		out.WriteString(" of the dump")
	} else {
		fmt.Fprintf(&out, " at %s", s.at.UTC().Format(time.RFC3339))
	}
	fmt.Fprintf(&out, ". Created from %s.\n", s.options.Source)
	for _, part := range []struct {
		title string
		lines []string
	}{
		{"Events", s.events.lines()}, {"Omitted", bullets(s.report.Omitted)}, {"Created", bullets(s.report.Created)},
		{"States", bullets(s.report.States)}, {"Warnings", bullets(s.report.Warnings)},
	} {
		if len(part.lines) > 0 {
			fmt.Fprintf(&out, "\n%s:\n%s\n", part.title, strings.Join(part.lines, "\n"))
		}
	}
	return out.String()
}

func bullets(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = "- " + line
	}
	return out
}

// manifests are the objects as YAML documents: what has no namespace first, then owners before what they own. That reads
// well; the store does not mind.
func (s *snapshot) manifests() (string, error) {
	rank := func(o *unstructured.Unstructured) int {
		k := s.kinds.Serving(o.GroupVersionKind())
		if !k.Namespaced {
			return 0
		}
		return 1 + s.kinds.Rank(k.GroupResource())
	}
	slices.SortStableFunc(s.objects, func(a, b *unstructured.Unstructured) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(title(a), title(b)))
	})
	var out strings.Builder
	for i, o := range s.objects {
		if i > 0 {
			out.WriteString("---\n")
		}
		data, err := sigsyaml.Marshal(o.Object)
		if err != nil {
			return "", err
		}
		out.Write(data)
	}
	return out.String(), nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
