package snapshot

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/kinds"
)

// State is what is known of a cluster at one moment, to which the requests that followed are added.
type State struct{ s *snapshot }

// Begin reads a dump. Errors are *Error.
func Begin(in io.Reader, options Options) (*State, error) {
	s, err := begin(in, options)
	return &State{s}, err
}

// Empty is the state of a cluster with nothing in it, at an instant.
func Empty(at time.Time, options Options) *State {
	s := &snapshot{options: options, kinds: kinds.BuiltIn(), byTitle: map[string]*unstructured.Unstructured{}, events: events{}}
	s.at = at.Truncate(time.Second)
	for i := range nodesWithoutDump {
		s.byTitle[fmt.Sprintf("Node node-%d", i+1)] = &unstructured.Unstructured{} // their names if there are only a few
	}
	return &State{s}
}

// Start is the instant at which the scenario starts; the zero time if no object of the dump mentions one.
func (st *State) Start() time.Time {
	if st.s.at.IsZero() {
		return time.Time{}
	}
	return st.s.start()
}

// Dumped is when the dump was certainly taken: the times in objects have no fractions of a second. It is the zero time without one.
func (st *State) Dumped() time.Time {
	if st.s.dumped == nil || st.s.at.IsZero() {
		return time.Time{}
	}
	return st.s.at.Truncate(time.Second).Add(time.Second)
}

// note keeps the resourceVersions of the dump.
func (s *snapshot) note() {
	s.revisions = map[string]uint64{}
	for _, o := range s.objects {
		s.revisions[title(o)] = version(o)
	}
}

// Has reports whether the state has an object of a kind, and its resourceVersion in the dump, 0 if it is not known.
func (st *State) Has(kind, namespace, name string) (revision uint64, ok bool) {
	key := kind + " " + name
	if namespace != "" {
		key = kind + " " + namespace + "/" + name
	}
	return st.s.revisions[key], st.s.byTitle[key] != nil
}

// HasUID reports whether an object of the state has a uid.
func (st *State) HasUID(uid types.UID) bool {
	return slices.ContainsFunc(st.s.objects, func(o *unstructured.Unstructured) bool { return o.GetUID() == uid })
}

// Kind is the kind of a resource, nil if the scenario does not have it.
func (st *State) Kind(resource schema.GroupResource) *kinds.Kind { return st.s.kinds.Of(resource) }

// AddDefinitions adds the kinds of CustomResourceDefinitions that requests create.
func (st *State) AddDefinitions(definitions []*unstructured.Unstructured) {
	if len(definitions) == 0 {
		return
	}
	st.s.kinds = definition.TableOf(slices.Concat(st.s.objects, definitions))
	st.s.customResources = true
}

// RecordManagers makes the scenario record who manages each field.
func (st *State) RecordManagers() { st.s.managedFields = true }

// Fetch is the command for a dump that has some resources, too; empty if the dump has objects of all of them.
func (st *State) Fetch(resources []string) string {
	for _, o := range st.s.dumped {
		resources = slices.DeleteFunc(resources, func(resource string) bool { return resource == st.s.resourceOf(o) })
	}
	if len(resources) == 0 {
		return ""
	}
	st.s.lacks = append(st.s.lacks, resources...)
	return st.s.fetch()
}

// Kubelets is what a log has of the requests of kubelets.
type Kubelets struct {
	// Images are those of containers, with true if one of them became ready, and false if all wait for something.
	Images map[string]bool
	// Ran is how long a Pod ran until it completed, 0 if that is not known.
	Ran time.Duration
}

// AddKubelets adds what kubelets reported after the dump.
func (st *State) AddKubelets(reported Kubelets) { st.s.kubelets = reported }

// HasImage reports whether it is known if containers with an image become ready.
func (st *State) HasImage(image string) bool {
	_, reported := st.s.kubelets.Images[image]
	return reported || slices.ContainsFunc(st.s.pods(), func(pod *corev1.Pod) bool {
		return slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Image == image })
	})
}

// Scenario is the scenario of the state, for whoever adds to it. Its warnings are those of the file that follows.
func (st *State) Scenario() (*format.Scenario, error) {
	warnings := slices.Clip(st.s.report.Warnings)
	defer func() { st.s.report.Warnings = warnings }()
	text, err := st.s.file()
	if err != nil {
		return nil, err
	}
	return format.Parse(made+st.s.options.Source, text, verb.All)
}

// AddNamespaces adds Namespaces that requests need and nothing has created.
func (st *State) AddNamespaces(names []string) {
	if len(names) == 0 {
		return
	}
	for _, name := range names {
		st.s.add(newNamespace(name))
	}
	st.s.makeUIDs()
	st.s.report.Created = append(st.s.report.Created, "Namespaces of requests: "+some(names))
}

// AddKinds says of which kinds the requests have objects, so that the controllers of these kinds run.
func (st *State) AddKinds(kinds []string) { st.s.requested = append(st.s.requested, kinds...) }

// Step is a step that a request makes, with a comment that says whose it was.
type Step struct {
	format.Step
	Comment string
}

// settle is how long a run continues after the last request.
const settle = 15 * time.Minute

// File is the file of the scenario with steps, and the report, to which taken, omitted and warnings are added.
func (st *State) File(steps []Step, taken, omitted, warnings []string) ([]byte, *Report, error) {
	s := st.s
	for _, step := range steps {
		var node yaml.Node
		if err := node.Encode(step.Step); err != nil {
			return nil, nil, err
		}
		node.HeadComment = step.Comment
		s.steps = append(s.steps, &node)
	}
	if n := len(steps); n > 0 && steps[n-1].At.Duration+settle > format.DefaultHorizon {
		s.horizon = notation.Text((steps[n-1].At.Duration + settle).Truncate(time.Minute) + time.Minute)
	}
	s.report.Taken = append(s.report.Taken, taken...)
	s.report.Omitted = append(s.report.Omitted, omitted...)
	s.report.Warnings = append(s.report.Warnings, warnings...)
	text, err := s.file()
	return text, &s.report, err
}

// Some lists names, and counts those that are too many.
func Some(names []string) string { return some(names) }

// Counted counts things by name: 3 of a, 1 of b, the most frequent first.
func Counted(of map[string]int) string {
	names := slices.Sorted(maps.Keys(of))
	slices.SortStableFunc(names, func(a, b string) int { return of[b] - of[a] })
	for i, name := range names {
		names[i] = fmt.Sprintf("%d of %s", of[name], name)
	}
	return some(names)
}
