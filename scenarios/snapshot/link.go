package snapshot

import (
	"fmt"
	"slices"

	"github.com/google/uuid"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/format"
)

// uidSpace makes the uids of objects that have none. The same object has the same uid in every scenario.
var uidSpace = uuid.NewSHA1(uuid.NameSpaceDNS, []byte("snapshot.kubestep.dev"))

// complete makes what the objects speak of and the dump does not have.
func (s *snapshot) complete() {
	s.namespaces()
	s.nodes()
	s.uids()
	s.owners()
}

// add puts an object that the dump does not have before those that it has.
func (s *snapshot) add(o *unstructured.Unstructured) {
	s.objects = append([]*unstructured.Unstructured{o}, s.objects...)
	s.byTitle[title(o)] = o
}

// namespaces makes the Namespaces in which objects are.
func (s *snapshot) namespaces() {
	var made []string
	for _, o := range slices.Clone(s.objects) {
		name := o.GetNamespace()
		if name == "" || name == metav1.NamespaceDefault || slices.Contains(systemNamespaces, name) {
			continue
		}
		if s.byTitle["Namespace "+name] != nil {
			continue
		}
		namespace := &unstructured.Unstructured{Object: map[string]any{
			"spec":   map[string]any{"finalizers": []any{string(corev1.FinalizerKubernetes)}},
			"status": map[string]any{"phase": string(corev1.NamespaceActive)},
		}}
		namespace.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
		namespace.SetName(name)
		namespace.SetLabels(map[string]string{corev1.LabelMetadataName: name})
		s.add(namespace)
		made = append(made, name)
	}
	if len(made) > 0 {
		s.report.Created = append(s.report.Created, "Namespaces whose objects are in the dump: "+some(made))
	}
}

// nodes makes the Nodes that Pods are bound to.
func (s *snapshot) nodes() {
	var made []string
	for _, o := range slices.Clone(s.objects) {
		if o.GetKind() != "Pod" {
			continue
		}
		name, _, _ := unstructured.NestedString(o.Object, "spec", "nodeName")
		if name == "" || s.byTitle["Node "+name] != nil {
			continue
		}
		node := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{
			"allocatable": map[string]any{"pods": fmt.Sprint(format.DefaultNodePods)},
			"capacity":    map[string]any{"pods": fmt.Sprint(format.DefaultNodePods)},
			"conditions":  []any{map[string]any{"type": "Ready", "status": "True", "reason": "KubeletReady"}},
		}}}
		node.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Node"))
		node.SetName(name)
		node.SetLabels(map[string]string{corev1.LabelHostname: name})
		s.add(node)
		made = append(made, name)
	}
	slices.Sort(made)
	if len(made) > 0 {
		s.report.Created = append(s.report.Created, "Ready Nodes without labels and taints, for Pods that are bound to them: "+some(made))
	}
}

// uids gives uids to the objects without.
func (s *snapshot) uids() {
	var made []string
	for _, o := range s.objects {
		if o.GetUID() == "" {
			o.SetUID(types.UID(uuid.NewSHA1(uidSpace, []byte(o.GetAPIVersion()+" "+title(o))).String()))
			made = append(made, title(o))
		}
	}
	if len(made) > 0 {
		s.report.Created = append(s.report.Created, "uids: "+some(made))
	}
}

// owners completes the references to owners, and says which lead nowhere.
func (s *snapshot) owners() {
	byUID := map[types.UID]bool{}
	for _, o := range s.objects {
		byUID[o.GetUID()] = true
	}
	var absent, other []string
	for _, o := range s.objects {
		references := o.GetOwnerReferences()
		for i, reference := range references {
			owner := s.ownerOf(o, reference)
			switch {
			case reference.UID == "" && owner != nil:
				references[i].UID = owner.GetUID()
			case byUID[reference.UID]:
			case owner != nil:
				other = append(other, fmt.Sprintf("%s, whose owner %s now has another uid", title(o), title(owner)))
			default:
				absent = append(absent, fmt.Sprintf("%s of %s %s", title(o), reference.Kind, reference.Name))
			}
		}
		if len(references) > 0 {
			o.SetOwnerReferences(references)
		}
	}
	if len(absent) > 0 {
		s.incomplete = true
		s.report.Warnings = append(s.report.Warnings, "owners are missing in the dump, so the garbage collector, which would delete "+
			"their dependents, does not run: "+some(absent))
	}
	if len(other) > 0 {
		s.report.Warnings = append(s.report.Warnings, "owners have other uids than the references, so the garbage collector "+
			"deletes their dependents: "+some(other))
	}
}

// ownerOf finds the object of the name that a reference has.
func (s *snapshot) ownerOf(o *unstructured.Unstructured, reference metav1.OwnerReference) *unstructured.Unstructured {
	if owner := s.byTitle[reference.Kind+" "+o.GetNamespace()+"/"+reference.Name]; owner != nil {
		return owner
	}
	return s.byTitle[reference.Kind+" "+reference.Name]
}
