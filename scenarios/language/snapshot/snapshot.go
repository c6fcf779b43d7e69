package snapshot

import (
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

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
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
	// seed is that of the scenario; 0 is the default.
	seed int64
	// incomplete means that owners are missing.
	incomplete bool
	// revisions are the resourceVersions of the objects of the dump, which clean removes.
	revisions map[string]uint64
	// steps are those of an audit log, requested the kinds of their objects, and horizon ends the run after them.
	steps     []*yaml.Node
	requested []string
	horizon   string
	// kubelets is what the audit log knows of containers. customResources means that its requests define kinds, and managedFields
	// that they depend on who manages fields.
	kubelets                       Kubelets
	customResources, managedFields bool
	// hangs are the Pods that their kubelets do not stop.
	hangs []*unstructured.Unstructured
}

// Scenario reads a dump and returns the file of a scenario that begins in its state. Errors are *Error.
func Scenario(in io.Reader, options Options) ([]byte, *Report, error) {
	s, err := begin(in, options)
	if err != nil {
		return nil, nil, err
	}
	text, err := s.file()
	return text, &s.report, err
}

// begin reads a dump. Errors are *Error.
func begin(in io.Reader, options Options) (*snapshot, error) {
	all, err := read(in)
	if err != nil {
		return nil, err
	}
	s := &snapshot{options: options, byTitle: map[string]*unstructured.Unstructured{}, events: events{}, at: newest(all)}
	s.kinds, s.seed = definition.TableOf(all), seedOf(all)
	s.choose(all)
	if len(s.objects) == 0 {
		return nil, &Error{"contains nothing that a scenario can start from; " + strings.Join(s.report.Omitted, "; "), howToDump}
	}
	s.note()
	if err := s.clean(); err != nil {
		return nil, err
	}
	s.dumped = slices.Clone(s.objects)
	s.complete()
	s.deletions()
	s.absent()
	s.unscheduled()
	s.refusals()
	s.missing()
	restored := counts{}
	for _, o := range s.objects {
		restored[o.GetKind()]++
	}
	s.report.Restored = restored.String()
	return s, nil
}

// file is the text of the scenario.
func (s *snapshot) file() ([]byte, error) {
	text, err := s.encode()
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > format.FileSizeMax {
		return nil, &Error{
			fmt.Sprintf("makes a scenario of %d KiB, and a scenario has at most %d KiB", len(text)>>10, format.FileSizeMax>>10),
			s.smaller(),
		}
	}
	_, err = format.Parse(s.options.Source, text, verb.All)
	return text, err
}

// smaller is what to do about a scenario that is too large.
func (s *snapshot) smaller() string {
	if s.steps != nil {
		return "fewer requests: --since and --until, or -n with one namespace"
	}
	return "a dump of one namespace: kubectl get ... -n shop -o yaml, or kubestep init --from dump.yaml -n shop"
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
		Seed       int64  `yaml:"seed,omitempty"`
		Start      string `yaml:"start,omitempty"`
		Horizon    string `yaml:"horizon,omitempty"`
		Kubernetes struct {
			Controllers []string `yaml:"controllers,omitempty"`
		} `yaml:"kubernetes,omitempty"`
		Cluster struct {
			Nodes   *yaml.Node `yaml:"nodes,omitempty"`
			Pods    []podRule  `yaml:"pods,omitempty"`
			Objects string     `yaml:"objects,omitempty"`

			CustomResources bool `yaml:"customResources,omitempty"`
			ManagedFields   bool `yaml:"managedFields,omitempty"`
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
	f.Spec.Seed = s.seed
	f.Spec.Title = s.title()
	if !s.at.IsZero() {
		f.Spec.Start = s.start().Format(time.RFC3339)
	}
	f.Spec.Horizon = s.horizon
	f.Spec.Kubernetes.Controllers = s.controllers()
	f.Spec.Cluster.Pods = s.podRules()
	f.Spec.About = s.about()
	f.Spec.Cluster.Nodes = s.clusterNodes()
	manifests, err := s.manifests()
	if err != nil {
		return nil, err
	}
	f.Spec.Cluster.Objects = manifests
	f.Spec.Cluster.CustomResources, f.Spec.Cluster.ManagedFields = s.customResources, s.managedFields
	var steps yaml.Node
	if err := yaml.Unmarshal([]byte(firstSteps), &steps); err != nil {
		return nil, err
	}
	f.Spec.Steps = *steps.Content[0] // without the document around it
	f.Spec.Steps.Content = slices.Concat(s.steps, f.Spec.Steps.Content)
	return format.EncodeYAML(f)
}

// title is the title of the scenario.
func (s *snapshot) title() string {
	switch {
	case s.dumped == nil:
		return "What users did according to " + s.options.Source
	case s.steps != nil:
		return "What users did in the cluster of " + s.options.Source
	}
	return "What happens next in the cluster of " + s.options.Source
}

// start is when the scenario starts: the first full second when the dump is over.
func (s *snapshot) start() time.Time { return s.at.UTC().Add(time.Second - 1).Truncate(time.Second) }

// clusterNodes is an empty list if the objects have Nodes, and without a dump a few.
func (s *snapshot) clusterNodes() *yaml.Node {
	switch {
	case s.dumped == nil:
		var nodes yaml.Node
		_ = nodes.Encode([]map[string]int{{"count": nodesWithoutDump}}) // it always encodes
		nodes.Style = yaml.FlowStyle
		return &nodes
	case slices.ContainsFunc(s.objects, func(o *unstructured.Unstructured) bool { return o.GetKind() == "Node" }):
		return &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	}
	return nil
}

// nodesWithoutDump is how many nodes a cluster has of which only the requests are known.
const nodesWithoutDump = 3

// about describes the state in Markdown.
func (s *snapshot) about() string {
	var out strings.Builder
	out.WriteString(cmp.Or(s.report.Restored, "A cluster with nothing in it"))
	out.WriteString(", in the state")
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
		{"Events", s.events.lines()}, {"Requests", bullets(s.report.Taken)}, {"Omitted", bullets(s.report.Omitted)}, {"Created", bullets(s.report.Created)},
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
