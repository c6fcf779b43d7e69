package apiserver

import (
	"context"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Do executes every verb but watch. It returns the object in the version of the request's resource, or
// an error whose Status is what kube-apiserver would answer.
func (s *Server) Do(req Request) (object runtime.Object, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			object, err = nil, panicked(reason, req.Verb, req.Path())
		}
	}()
	if s.isCustom(req.Resource) || s.others.Serves(req.Resource.GroupVersion()) {
		return s.doCustom(req)
	}
	resource, err := s.find(req)
	if err != nil {
		return nil, err
	}
	execute, ok := verbs[req.Verb]
	if !ok {
		return nil, notAllowed()
	}
	if req.Verb == "patch" && req.PatchType == types.ApplyPatchType {
		return s.apply(req)
	}
	ctx := s.requestContext(req, resource)
	if err := s.authorize(ctx); err != nil {
		return nil, answer(err)
	}
	out, err := execute(ctx, resource, req)
	if err != nil {
		return nil, answer(err)
	}
	return external(out, resource)
}

// MayWait reports whether Do, or a watch that OpenWatch opens, may wait for the answer of a webhook, or
// of another API server.
func (s *Server) MayWait(req Request) bool {
	return req.Writes() && s.webhooks.HasWebhooks() || s.others.Serves(req.Resource.GroupVersion()) ||
		s.isCustom(req.Resource) && s.extensions != nil && s.extensions.Converts(req.Resource.GroupResource())
}

var verbs = map[string]func(context.Context, *Resource, Request) (runtime.Object, error){
	"get": get, "list": list, "create": create, "update": update, "patch": patch,
	"delete": remove, "deletecollection": removeCollection,
}

// find looks up the storage of a request, as the router of an HTTP server does by the path: that of a
// cluster-scoped resource has no namespace, and that of a named object in a namespace has one.
func (s *Server) find(req Request) (*Resource, error) {
	resource, ok := s.paths[resourcePath{req.Resource, req.Subresource}]
	if !ok || !resource.Namespaced && req.Namespace != "" {
		return nil, notFound()
	}
	if !resource.Namespaced || req.Namespace != "" {
		return resource, nil
	}
	switch {
	case req.Verb == "list", req.Verb == "watch":
		return resource, nil
	case req.Verb == "deletecollection", req.Verb == "create" && req.Subresource == "":
		return nil, notAllowed()
	}
	return nil, notFound()
}

// requestContext carries what a handler chain would have put there. Declarative validation and the
// metrics inside the registries read the whole RequestInfo.
func (s *Server) requestContext(req Request, resource *Resource) context.Context {
	ctx := genericrequest.WithNamespace(genericrequest.NewContext(), req.Namespace)
	ctx = genericrequest.WithUser(ctx, s.userOf(req))
	return genericrequest.WithRequestInfo(ctx, &genericrequest.RequestInfo{
		IsResourceRequest: true, Verb: req.Verb, Namespace: req.Namespace, Name: nameIn(req),
		APIGroup: resource.Group, APIVersion: resource.Version,
		Resource: resource.Resource, Subresource: resource.Subresource,
		FieldSelector: req.ListOptions.FieldSelector, LabelSelector: req.ListOptions.LabelSelector,
	})
}

// nameIn is the name that an authorizer sees: the name in the URL of a request, which the typed clients leave to the object of an
// update, or that in a field selector (NewRequestInfo in k8s.io/apiserver/pkg/endpoints/request).
func nameIn(req Request) string {
	switch req.Verb {
	case "list", "watch", "deletecollection":
		if selector, err := fields.ParseSelector(req.ListOptions.FieldSelector); err == nil {
			if name, ok := selector.RequiresExactMatch(metav1.ObjectNameField); ok && len(path.IsValidPathSegmentName(name)) == 0 {
				return name
			}
		}
		return req.Name
	}
	if req.Name == "" && req.Verb == "update" && req.Object != nil {
		if accessor, err := meta.Accessor(req.Object); err == nil {
			return accessor.GetName()
		}
	}
	return req.Name
}

func get(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	getter, ok := resource.storage.(rest.Getter)
	if !ok {
		return nil, notAllowed()
	}
	return getter.Get(ctx, req.Name, &req.GetOptions)
}

func list(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	lister, ok := resource.storage.(rest.Lister)
	if !ok {
		return nil, notAllowed()
	}
	options, err := listOptions(resource, req.ListOptions)
	if err != nil {
		return nil, err
	}
	return lister.List(ctx, options)
}

func create(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	named, byName := resource.storage.(rest.NamedCreater)
	creater, ok := resource.storage.(rest.Creater)
	if !ok && !byName {
		return nil, notAllowed()
	}
	if err := checkOptions(req); err != nil {
		return nil, err
	}
	obj, err := bodyOf(resource, req)
	if err != nil {
		return nil, err
	}
	name := req.Name
	if accessor, err := meta.Accessor(obj); err == nil {
		preserver, ok := resource.storage.(rest.SubresourceObjectMetaPreserver)
		if !ok || !preserver.PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate() {
			rest.WipeObjectMetaSystemFields(accessor)
		}
		if err := placeInNamespace(resource, req, accessor); err != nil {
			return nil, err
		}
		dropRepeatedOwners(accessor)
		if name == "" {
			name = accessor.GetName()
		}
	}
	if obj, err = resource.manage(req, req.CreateOptions.FieldManager, nil, obj); err != nil {
		return nil, err
	}
	admit := question{resource, req, name}
	if err := admit.mutateNew(ctx, obj); err != nil {
		return nil, err
	}
	options := req.CreateOptions
	if byName {
		return created(named.Create(ctx, name, obj, admit.validateNew(ctx), &options))
	}
	return created(creater.Create(ctx, obj, admit.validateNew(ctx), &options))
}

// created gives the Status that some subresources answer with, such as a binding, its code.
func created(out runtime.Object, err error) (runtime.Object, error) {
	if status, ok := out.(*metav1.Status); ok && err == nil && status.Code == 0 {
		status.Code = http.StatusCreated
	}
	return out, err
}

func update(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	updater, ok := resource.storage.(rest.Updater)
	if !ok {
		return nil, notAllowed()
	}
	if err := checkOptions(req); err != nil {
		return nil, err
	}
	obj, err := bodyOf(resource, req)
	if err != nil {
		return nil, err
	}
	name := req.Name
	if accessor, err := meta.Accessor(obj); err == nil {
		if err := placeInNamespace(resource, req, accessor); err != nil {
			return nil, err
		}
		if name == "" {
			name = accessor.GetName()
		}
		if err := checkName(name, accessor); err != nil {
			return nil, err
		}
		dropRepeatedOwners(accessor)
	}
	admit := question{resource, req, name}
	options := req.UpdateOptions
	update := rest.DefaultUpdatedObjectInfo(obj, resource.managed(req, options.FieldManager), admit.mutateUpdated)
	out, _, err := updater.Update(ctx, name, update, admit.validateNew(ctx), admit.validateUpdated(ctx), false, &options)
	return out, err
}

func remove(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	deleter, ok := resource.storage.(rest.GracefulDeleter)
	if !ok {
		return nil, notAllowed()
	}
	if err := checkOptions(req); err != nil {
		return nil, err
	}
	options := req.DeleteOptions
	out, _, err := deleter.Delete(ctx, req.Name, question{resource, req, req.Name}.validateDeleted(ctx), &options)
	return out, err
}

func removeCollection(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	deleter, ok := resource.storage.(rest.CollectionDeleter)
	if !ok {
		return nil, notAllowed()
	}
	options, err := listOptions(resource, req.ListOptions)
	if err != nil {
		return nil, err
	}
	if err := checkOptions(req); err != nil {
		return nil, err
	}
	deletion := req.DeleteOptions
	return deleter.DeleteCollection(ctx, question{resource, req, ""}.validateDeleted(ctx), &deletion, options)
}
