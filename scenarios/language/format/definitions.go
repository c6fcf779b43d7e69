package format

import (
	"sync/atomic"
	"unsafe"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/kinds"
)

// Kinds are the kinds that the scenario can name: Kubernetes' own, and those that it defines. Each step asks for them, so they are looked
// for once, and again when the steps or the cluster are others: the steps of a scenario are replaced as a whole, or added to.
func (s *Scenario) Kinds() *kinds.Table {
	of := kindsKey{s, unsafe.SliceData(s.Spec.Steps), len(s.Spec.Steps), s.Spec.Cluster.Definitions, s.Spec.Cluster.Objects}
	if last := lastKinds.Load(); last != nil && last.of == of {
		return last.table
	}
	table := definition.Table(s.manifestsBefore(len(s.Spec.Steps))...)
	lastKinds.Store(&knownKinds{of, table})
	return table
}

// kindsKey is what the kinds of a scenario follow from.
type kindsKey struct {
	scenario             *Scenario
	steps                *Step
	count                int
	definitions, objects string
}

type knownKinds struct {
	of    kindsKey
	table *kinds.Table
}

// lastKinds are those of the scenario that was asked last: a process works on one at a time. There is no mutex, which could park a
// goroutine of a simulation.
var lastKinds atomic.Pointer[knownKinds]

// Definitions are the CustomResourceDefinitions in the scenario: those of the cluster, and those that steps create.
func (s *Scenario) Definitions() []*definition.Definition {
	return definition.Read(s.manifestsBefore(len(s.Spec.Steps))...)
}

// HasCustomResources reports whether the API server serves definitions.
func (s *Scenario) HasCustomResources() bool {
	return s.Spec.Cluster.CustomResources || s.Kinds() != kinds.BuiltIn()
}

// manifestsBefore are those of the cluster, and of the steps before one.
func (s *Scenario) manifestsBefore(step int) []string {
	texts := []string{s.Spec.Cluster.Definitions, s.Spec.Cluster.Objects}
	for _, st := range s.Spec.Steps[:step] {
		if manifests, ok := st.Verb.(interface{ Manifests() *string }); ok {
			texts = append(texts, *manifests.Manifests())
		}
	}
	return texts
}

// defined requires that the kinds of manifests are defined before their step. A step that is meant to fail may find out.
func (v *validator) defined(step int, manifests []manifest.Manifest, path string) {
	if !v.scenario.HasCustomResources() || v.fails(step) {
		return
	}
	known := definition.Table(v.scenario.manifestsBefore(step)...)
	for _, m := range manifests {
		if known.Serving(m.GVK) == nil && m.GVK != definition.Kind.GroupVersionKind() {
			v.report(v.scenario.Place(source.Problem(
				"create the CustomResourceDefinition in an earlier step, or in spec.cluster.definitions",
				"no matches for kind %q in version %q", m.GVK.Kind, m.GVK.GroupVersion()), path, m.Position))
		}
	}
}
