package apiserver

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metainternal "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// Do executes every verb but watch. It returns the object in the version of the request's resource, or
// an error whose Status is what kube-apiserver would answer.
func (s *Server) Do(req Request) (runtime.Object, error) {
	resource, err := s.find(req)
	if err != nil {
		return nil, err
	}
	ctx := requestContext(req, resource)
	var out runtime.Object
	switch req.Verb {
	case "get":
		out, err = get(ctx, resource, req)
	case "list":
		out, err = list(ctx, resource, req)
	case "create":
		out, err = create(ctx, resource, req)
	case "update":
		out, err = update(ctx, resource, req)
	case "patch":
		out, err = patch(ctx, resource, req)
	case "delete":
		out, err = remove(ctx, resource, req)
	case "deletecollection":
		out, err = removeCollection(ctx, resource, req)
	default:
		err = notSupported(resource, req.Verb)
	}
	if err != nil {
		return nil, err
	}
	return external(out, resource)
}

// find looks up the storage of a request. An unknown path is a 404, as in an HTTP server.
func (s *Server) find(req Request) (*Resource, error) {
	resource, ok := s.paths[resourcePath{req.Resource, req.Subresource}]
	if !ok {
		return nil, apierrors.NewGenericServerResponse(404, req.Verb, req.Resource.GroupResource(), req.Name,
			"the server could not find the requested resource", 0, true)
	}
	return resource, nil
}

// requestContext carries what a handler chain would have put there. Declarative validation and the
// metrics inside the registries read the whole RequestInfo.
func requestContext(req Request, resource *Resource) context.Context {
	ctx := genericrequest.WithNamespace(genericrequest.NewContext(), req.Namespace)
	ctx = genericrequest.WithUser(ctx, &user.DefaultInfo{Name: req.Actor})
	return genericrequest.WithRequestInfo(ctx, &genericrequest.RequestInfo{
		IsResourceRequest: true, Verb: req.Verb, Namespace: req.Namespace, Name: req.Name,
		APIGroup: resource.Group, APIVersion: resource.Version,
		Resource: resource.Resource, Subresource: resource.Subresource,
	})
}

func get(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	getter, ok := resource.storage.(rest.Getter)
	if !ok {
		return nil, notSupported(resource, req.Verb)
	}
	return getter.Get(ctx, req.Name, &req.GetOptions)
}

func list(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	lister, ok := resource.storage.(rest.Lister)
	if !ok {
		return nil, notSupported(resource, req.Verb)
	}
	options, err := listOptions(resource, req.ListOptions)
	if err != nil {
		return nil, err
	}
	return lister.List(ctx, options)
}

func create(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	obj, err := internal(req.Object)
	if err != nil {
		return nil, err
	}
	accessor, metaErr := meta.Accessor(obj)
	if metaErr == nil {
		preserver, ok := resource.storage.(rest.SubresourceObjectMetaPreserver)
		if !ok || !preserver.PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate() {
			rest.WipeObjectMetaSystemFields(accessor)
		}
		if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(req.Namespace, accessor); err != nil {
			return nil, err
		}
	}
	options := req.CreateOptions
	switch storage := resource.storage.(type) {
	case rest.NamedCreater:
		name := req.Name
		if name == "" && metaErr == nil {
			name = accessor.GetName()
		}
		return storage.Create(ctx, name, obj, rest.ValidateAllObjectFunc, &options)
	case rest.Creater:
		return storage.Create(ctx, obj, rest.ValidateAllObjectFunc, &options)
	}
	return nil, notSupported(resource, req.Verb)
}

func update(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	updater, ok := resource.storage.(rest.Updater)
	if !ok {
		return nil, notSupported(resource, req.Verb)
	}
	obj, err := internal(req.Object)
	if err != nil {
		return nil, err
	}
	name := req.Name
	if accessor, err := meta.Accessor(obj); err == nil {
		if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(req.Namespace, accessor); err != nil {
			return nil, err
		}
		if name == "" {
			name = accessor.GetName()
		}
	}
	options := req.UpdateOptions
	out, _, err := updater.Update(ctx, name, rest.DefaultUpdatedObjectInfo(obj),
		rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &options)
	return out, err
}

func remove(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	deleter, ok := resource.storage.(rest.GracefulDeleter)
	if !ok {
		return nil, notSupported(resource, req.Verb)
	}
	options := req.DeleteOptions
	out, _, err := deleter.Delete(ctx, req.Name, rest.ValidateAllObjectFunc, &options)
	return out, err
}

func removeCollection(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	deleter, ok := resource.storage.(rest.CollectionDeleter)
	if !ok {
		return nil, notSupported(resource, req.Verb)
	}
	options, err := listOptions(resource, req.ListOptions)
	if err != nil {
		return nil, err
	}
	deletion := req.DeleteOptions
	return deleter.DeleteCollection(ctx, rest.ValidateAllObjectFunc, &deletion, options)
}

// listOptions parses selectors and renames the fields of a field selector into the internal version.
func listOptions(resource *Resource, in metav1.ListOptions) (*metainternal.ListOptions, error) {
	out := &metainternal.ListOptions{}
	if err := metainternal.Convert_v1_ListOptions_To_internalversion_ListOptions(&in, out, nil); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if out.FieldSelector != nil {
		renamed, err := out.FieldSelector.Transform(func(label, value string) (string, string, error) {
			return legacyscheme.Scheme.ConvertFieldLabel(resource.Kind, label, value)
		})
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		out.FieldSelector = renamed
	}
	return out, nil
}

// internal copies, defaults and converts a request body, as the codec of an HTTP handler does.
func internal(obj runtime.Object) (runtime.Object, error) {
	if obj == nil {
		return nil, apierrors.NewBadRequest("the request has no body")
	}
	obj = obj.DeepCopyObject()
	legacyscheme.Scheme.Default(obj)
	out, err := legacyscheme.Scheme.UnsafeConvertToVersion(obj, runtime.InternalGroupVersioner)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return out, nil
}

// external converts a storage's answer to the version of the resource. Typed clients drop the kind of
// what they decode, so it is cleared.
func external(obj runtime.Object, resource *Resource) (runtime.Object, error) {
	switch obj.(type) {
	case nil:
		return nil, nil
	case *metav1.Status:
		return obj, nil
	}
	out, err := legacyscheme.Scheme.UnsafeConvertToVersion(obj, resource.Kind.GroupVersion())
	if err != nil {
		return nil, fmt.Errorf("converting %T to %s: %w", obj, resource.Kind.GroupVersion(), err)
	}
	out.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return out, nil
}

func notSupported(resource *Resource, verb string) error {
	return apierrors.NewMethodNotSupported(resource.GroupResource(), verb)
}
