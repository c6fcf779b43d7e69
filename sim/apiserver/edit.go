package apiserver

import (
	"context"
	"fmt"
	"reflect"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/storage"

	api "k8s.io/kubernetes/pkg/apis/core"
)

// Edit changes a stored object like a user with access to etcd: a JSON merge patch without strategy, validation or
// admission. Clients receive it through their watches, like every write.
func (s *Server) Edit(resource schema.GroupVersionResource, namespace, name string, patch []byte) error {
	req := Request{Verb: "patch", Resource: resource, Namespace: namespace, Name: name, Patch: patch, PatchType: types.MergePatchType}
	if s.isCustom(req.Resource) {
		return s.editCustom(req)
	}
	found, at, err := s.locate(req)
	if err != nil {
		return err
	}
	apply := storage.SimpleUpdate(func(current runtime.Object) (runtime.Object, error) { return applyPatch(current, found, req) })
	err = at.store.Storage.GuaranteedUpdate(at.ctx, at.key, at.store.NewFunc(), false, nil, apply, false, nil)
	if storage.IsNotFound(err) {
		return fmt.Errorf("there is no %s %q to edit", found.Singular, name)
	}
	return answer(err)
}

// Restore adds an object to the store as it is, with its uid, its status and its times, as when etcd is restored from a
// snapshot: nothing is checked. It keeps its resourceVersion if the store has not reached that, and gets the next one
// otherwise. What a Service has is marked as allocated. Request has Resource, Namespace, Name and Object.
func (s *Server) Restore(req Request) error {
	if s.isCustom(req.Resource) {
		return s.restoreCustom(req)
	}
	found, at, err := s.locate(req)
	if err != nil {
		return err
	}
	obj, err := bodyOf(found, req)
	if err != nil {
		return err
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	s.keepRevision(accessor)
	err = at.store.Storage.Create(at.ctx, at.key, obj, at.store.NewFunc(), 0, false)
	if storage.IsExist(err) {
		return fmt.Errorf("%s %q is there already", found.Singular, req.Name)
	}
	if service, ok := obj.(*api.Service); ok && err == nil {
		err = s.allocators.Adopt(service)
	}
	return answer(err)
}

// keepRevision makes the next write have the resourceVersion of an object, if it can, and removes it from the object, as the
// store wants it.
func (s *Server) keepRevision(object metav1.Object) {
	if revision, err := strconv.ParseUint(object.GetResourceVersion(), 10, 64); err == nil && revision > 0 {
		s.db.Skip(revision)
	}
	object.SetResourceVersion("")
}

// location is where an object lies in the store.
type location struct {
	store *genericregistry.Store
	ctx   context.Context
	key   string
}

// locate finds the place of the object of a request, whether it is there or not.
func (s *Server) locate(req Request) (*Resource, *location, error) {
	found, err := s.find(req)
	if err != nil {
		return nil, nil, err
	}
	store, ok := storeOf(found)
	if !ok {
		return nil, nil, fmt.Errorf("apiserver: %s are not stored, so they can be neither edited nor restored", req.Resource.Resource)
	}
	ctx := genericrequest.WithNamespace(genericrequest.NewContext(), req.Namespace)
	key, err := store.KeyFunc(ctx, req.Name)
	return found, &location{store, ctx, key}, err
}

// storeOf finds the generic store of a registry. Nearly all embed it; that of namespaces keeps it in a field of its
// own, and those of RBAC wrap another registry, to check what its user may grant.
func storeOf(resource *Resource) (*genericregistry.Store, bool) {
	return storeIn(reflect.ValueOf(resource.storage))
}

func storeIn(v reflect.Value) (*genericregistry.Store, bool) {
	v = reflect.Indirect(v)
	if v.Kind() != reflect.Struct {
		return nil, false
	}
	for _, name := range []string{"Store", "store"} {
		if field := v.FieldByName(name); field.IsValid() && field.Type() == reflect.TypeFor[*genericregistry.Store]() {
			store := (*genericregistry.Store)(field.UnsafePointer())
			return store, store != nil
		}
	}
	if wrapped := v.FieldByName("StandardStorage"); wrapped.IsValid() && wrapped.Kind() == reflect.Interface {
		return storeIn(wrapped.Elem())
	}
	return nil, false
}
