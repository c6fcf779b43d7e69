// Package form makes of a watched object what its client asks for instead: a Table or a PartialObjectMetadata. Upstream's
// function for it (doTransformObject in k8s.io/apiserver/pkg/endpoints/handlers) is not exported.
package form

import (
	"context"
	"fmt"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metainternalscheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1beta1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// Form converts the objects of one watch.
type Form interface {
	// Of is what the client gets of an object.
	Of(runtime.Object) (runtime.Object, error)
	// Name says what Of makes now: two forms of one resource with the same Name make the same of an object.
	Name() string
	// Sent notes that the client has something of this form.
	Sent()
}

// New makes the form of a kind. version is that of the watched objects; the query may have options of a Table.
func New(
	kind schema.GroupVersionKind, convertor rest.TableConvertor, version schema.GroupVersion, query url.Values,
) (Form, error) {
	if kind.Kind == "PartialObjectMetadata" {
		return metadata{kind.GroupVersion()}, nil
	}
	if kind.Kind != "Table" {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("a watch cannot be read as a %s", kind.Kind))
	}
	options := &metav1.TableOptions{}
	if err := metainternalscheme.ParameterCodec.DecodeParameters(query, metav1.SchemeGroupVersion, options); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if errs := validation.ValidateTableOptions(options); len(errs) > 0 {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("Unable to convert to Table as requested: %v", errs.ToAggregate()))
	}
	return tables{convertor, version, kind.GroupVersion(), options}, nil
}

// metadata makes objects that have nothing but metadata.
type metadata struct{ version schema.GroupVersion }

// Of implements Form.
func (m metadata) Of(object runtime.Object) (runtime.Object, error) {
	return partial(object, m.version)
}

// Name implements Form.
func (m metadata) Name() string { return "PartialObjectMetadata " + m.version.Version }

// Sent implements Form.
func (m metadata) Sent() {}

// partial is the metadata of an object.
func partial(object runtime.Object, version schema.GroupVersion) (runtime.Object, error) {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	out := meta.AsPartialObjectMetadata(accessor)
	out.SetGroupVersionKind(version.WithKind("PartialObjectMetadata"))
	return out, nil
}

// tables makes Tables of one row.
type tables struct {
	convertor rest.TableConvertor
	// objects and metadata are the versions of what a row contains.
	objects, metadata schema.GroupVersion
	options           *metav1.TableOptions
}

// Name implements Form.
func (t tables) Name() string {
	name := "Table " + t.metadata.Version + " " + string(t.options.IncludeObject)
	if t.options.NoHeaders {
		return name + " without headers"
	}
	return name
}

// Sent implements Form: the columns are defined once.
func (t tables) Sent() { t.options.NoHeaders = true }

// Of implements Form.
func (t tables) Of(object runtime.Object) (runtime.Object, error) {
	internal := object
	if _, untyped := object.(runtime.Unstructured); !untyped {
		var err error
		if internal, err = legacyscheme.Scheme.ConvertToVersion(object, runtime.InternalGroupVersioner); err != nil {
			return nil, err
		}
	}
	table, err := t.convertor.ConvertToTable(context.Background(), internal, t.options)
	if err != nil {
		return nil, err
	}
	for i := range table.Rows {
		row := &table.Rows[i].Object
		if row.Object, err = t.included(row.Object); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// included is what a row contains of its object. The bookmark that ends the initial events is always recognizable.
func (t tables) included(object runtime.Object) (runtime.Object, error) {
	_, untyped := object.(runtime.Unstructured)
	initialEventsEnd, err := storage.HasInitialEventsEndBookmarkAnnotation(object)
	switch {
	case err != nil:
		return nil, err
	case untyped && t.options.IncludeObject == metav1.IncludeObject:
		return object, nil
	case t.options.IncludeObject == metav1.IncludeObject:
		return legacyscheme.Scheme.ConvertToVersion(object, t.objects)
	case t.options.IncludeObject == metav1.IncludeNone && !initialEventsEnd:
		return nil, nil
	}
	return partial(object, t.metadata)
}
