package snapshot

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/kinds"
)

// missingOwners are the dependents whose owners are not among the objects, by the reason.
type missingOwners struct {
	kinds *kinds.Table
	// gone are those whose owner does not exist: the dump has other objects of its kind.
	gone []string
	// unknown are those whose owner may exist: the dump has no objects of its kind, which resources names.
	unknown, resources []string
	// foreign are those whose owner has a kind that is not simulated.
	foreign []string
	// replaced are those whose owner has another uid now.
	replaced []string
}

// owners completes the references to owners, and says which lead nowhere.
func (s *snapshot) owners() {
	byUID, kindsThere := map[types.UID]bool{}, map[string]bool{}
	for _, o := range s.objects {
		byUID[o.GetUID()], kindsThere[o.GetKind()] = true, true
	}
	missing := &missingOwners{kinds: s.kinds}
	for _, o := range s.objects {
		references := o.GetOwnerReferences()
		for i, reference := range references {
			owner := s.ownerOf(o, reference)
			switch {
			case reference.UID == "" && owner != nil:
				references[i].UID = owner.GetUID()
			case byUID[reference.UID]:
			case owner != nil:
				missing.replaced = append(missing.replaced, fmt.Sprintf("%s, whose owner %s now has another uid", title(o), title(owner)))
			default:
				missing.add(o, reference, kindsThere[reference.Kind])
			}
		}
		if len(references) > 0 {
			o.SetOwnerReferences(references)
		}
	}
	s.tellOwners(missing)
}

// add notes a dependent without its owner. known means that the dump has objects of the owner's kind.
func (m *missingOwners) add(o *unstructured.Unstructured, reference metav1.OwnerReference, known bool) {
	text := fmt.Sprintf("%s of %s %s", title(o), reference.Kind, reference.Name)
	kind := m.kinds.Serving(schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind))
	switch {
	case kind == nil:
		m.foreign = append(m.foreign, text)
	case known:
		m.gone = append(m.gone, text)
	default:
		m.unknown, m.resources = append(m.unknown, text), append(m.resources, kind.GroupResource().String())
	}
}

// tellOwners reports the missing owners. The garbage collector, which would delete their dependents, does not run then: the
// dependents are part of the state.
func (s *snapshot) tellOwners(missing *missingOwners) {
	const consequence = "the garbage collector, which would delete their dependents, does not run: "
	const idle = ", so " + consequence
	warn := func(text string) { s.report.Warnings = append(s.report.Warnings, text) }
	s.incomplete = len(missing.gone)+len(missing.unknown)+len(missing.foreign) > 0
	if len(missing.unknown) > 0 {
		warn("owners are missing in the dump" + idle + some(missing.unknown))
		s.lacks = append(s.lacks, missing.resources...)
	}
	if len(missing.foreign) > 0 {
		warn("owners are of kinds that are not simulated" + idle + some(missing.foreign))
	}
	for _, text := range missing.gone {
		s.report.States = append(s.report.States, text+": the owner does not exist, and the garbage collector, which would delete the "+
			"dependent, does not run")
	}
	switch replaced := some(missing.replaced); {
	case replaced == "":
	case s.incomplete:
		warn("owners have other uids than the references, and " + consequence + replaced)
	default:
		warn("owners have other uids than the references, so the garbage collector deletes their dependents: " + replaced)
	}
}

// ownerOf finds the object of the name that a reference has.
func (s *snapshot) ownerOf(o *unstructured.Unstructured, reference metav1.OwnerReference) *unstructured.Unstructured {
	if owner := s.byTitle[reference.Kind+" "+o.GetNamespace()+"/"+reference.Name]; owner != nil {
		return owner
	}
	return s.byTitle[reference.Kind+" "+reference.Name]
}
