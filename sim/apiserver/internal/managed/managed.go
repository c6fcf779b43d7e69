// Package managed keeps metadata.managedFields up to date in writes that do not pass upstream's HTTP handlers, which do it
// otherwise. It calls upstream's FieldManager at the places where the handlers call theirs (create.go, update.go and patch.go in
// k8s.io/apiserver/pkg/endpoints/handlers). So a server-side apply finds conflicts with the fields that kubectl, controllers and
// kubelets have written.
package managed

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/kubestep/kubestep/sim/apiserver/internal/openapi"
)

// Fields knows who manages the fields of the objects of a server.
type Fields struct {
	kinds func() []schema.GroupVersionKind
	types managedfields.TypeConverter
	known map[Path]*managedfields.FieldManager
}

// New returns the Fields of a server that serves kinds, which is called once, at the first write.
func New(kinds func() []schema.GroupVersionKind) *Fields {
	return &Fields{kinds: kinds, known: map[Path]*managedfields.FieldManager{}}
}

// Path is what a request writes to: a kind of objects, or of a subresource of objects.
type Path struct {
	Kind        schema.GroupVersionKind
	Resource    schema.GroupVersionResource
	Subresource string
}

// Update returns an object in whose metadata program manages the fields that differ from those of the stored object. For a new one,
// stored is nil.
func (f *Fields) Update(at Path, storage rest.Storage, stored, object runtime.Object, program string) (runtime.Object, error) {
	fields, err := f.of(at, storage)
	if err != nil {
		return nil, fmt.Errorf("managed fields of %s: %w", at.Kind, err)
	}
	if stored == nil {
		if stored, err = legacyscheme.Scheme.New(at.Kind); err != nil {
			return nil, err
		}
	}
	return fields.UpdateNoErrors(stored, object, program), nil
}

// of finds or makes what upstream's installer makes for each path (registerResourceHandlers in
// k8s.io/apiserver/pkg/endpoints/installer.go).
func (f *Fields) of(at Path, storage rest.Storage) (fields *managedfields.FieldManager, err error) {
	if fields, ok := f.known[at]; ok {
		return fields, nil
	}
	if f.types == nil {
		models, err := openapi.Models(f.kinds())
		if err != nil {
			return nil, err
		}
		if f.types, err = managedfields.NewTypeConverter(models, false); err != nil {
			return nil, err
		}
	}
	var reset map[fieldpath.APIVersion]fieldpath.Filter
	switch strategy := storage.(type) {
	case rest.ResetFieldsStrategy:
		reset = fieldpath.NewExcludeFilterSetMap(strategy.GetResetFields())
	case rest.ResetFieldsFilterStrategy:
		reset = strategy.GetResetFieldsFilter()
	}
	s := legacyscheme.Scheme
	internal := schema.GroupVersion{Group: at.Kind.Group, Version: runtime.APIVersionInternal}
	fields, err = managedfields.NewDefaultFieldManager(
		f.types, runtime.UnsafeObjectConvertor(s), s, s, at.Kind, internal, at.Subresource, reset)
	if err == nil {
		f.known[at] = fields
	}
	return fields, err
}
