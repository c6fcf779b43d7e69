package snapshot

import (
	"slices"

	"github.com/google/uuid"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
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
		s.add(newNamespace(name))
		made = append(made, name)
	}
	if len(made) > 0 {
		s.report.Created = append(s.report.Created, "Namespaces whose objects are in the dump: "+some(made))
	}
}

// newNamespace is a Namespace as kube-apiserver makes it.
func newNamespace(name string) *unstructured.Unstructured {
	namespace := &unstructured.Unstructured{Object: map[string]any{
		"spec":   map[string]any{"finalizers": []any{string(corev1.FinalizerKubernetes)}},
		"status": map[string]any{"phase": string(corev1.NamespaceActive)},
	}}
	namespace.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
	namespace.SetName(name)
	namespace.SetLabels(map[string]string{corev1.LabelMetadataName: name})
	return namespace
}

// uids gives uids to the objects without, and reports them.
func (s *snapshot) uids() {
	if made := s.makeUIDs(); len(made) > 0 {
		s.report.Created = append(s.report.Created, "uids: "+some(made))
	}
}

// makeUIDs gives uids to the objects without, and returns them.
func (s *snapshot) makeUIDs() (made []string) {
	for _, o := range s.objects {
		if o.GetUID() == "" {
			o.SetUID(types.UID(uuid.NewSHA1(uidSpace, []byte(o.GetAPIVersion()+" "+title(o))).String()))
			made = append(made, title(o))
		}
	}
	return made
}
