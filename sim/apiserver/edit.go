package apiserver

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/storage"
)

// Edit changes a stored object as somebody with access to etcd would: a JSON merge patch that no strategy,
// validation or admission sees. Clients learn of it through their watches, as of every write.
func (s *Server) Edit(resource schema.GroupVersionResource, namespace, name string, patch []byte) error {
	found, err := s.find(Request{Resource: resource, Namespace: namespace, Name: name})
	if err != nil {
		return err
	}
	store, ok := storeOf(found)
	if !ok {
		return fmt.Errorf("apiserver: %s are not stored, so they cannot be edited", resource.Resource)
	}
	ctx := genericrequest.WithNamespace(genericrequest.NewContext(), namespace)
	key, err := store.KeyFunc(ctx, name)
	if err != nil {
		return err
	}
	req := Request{Verb: "patch", Resource: resource, Namespace: namespace, Name: name, Patch: patch, PatchType: types.MergePatchType}
	apply := storage.SimpleUpdate(func(current runtime.Object) (runtime.Object, error) { return applyPatch(current, found, req) })
	err = store.Storage.GuaranteedUpdate(context.WithoutCancel(ctx), key, store.NewFunc(), false, nil, apply, false, nil)
	if storage.IsNotFound(err) {
		return fmt.Errorf("there is no %s %q to edit", found.Singular, name)
	}
	return answer(err)
}

// Restore puts an object into the store as it is, with its uid, its status and its times, as when etcd is
// restored from a snapshot: nothing is checked, and nothing is allocated. Request has Resource, Namespace, Name and
// Object.
func (s *Server) Restore(req Request) error {
	found, err := s.find(req)
	if err != nil {
		return err
	}
	store, ok := storeOf(found)
	if !ok {
		return fmt.Errorf("apiserver: %s are not stored, so they cannot be restored", req.Resource.Resource)
	}
	obj, err := bodyOf(found, req)
	if err != nil {
		return err
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	accessor.SetResourceVersion("")
	ctx := genericrequest.WithNamespace(genericrequest.NewContext(), req.Namespace)
	key, err := store.KeyFunc(ctx, req.Name)
	if err != nil {
		return err
	}
	err = store.Storage.Create(ctx, key, obj, store.NewFunc(), 0, false)
	if storage.IsExist(err) {
		return fmt.Errorf("%s %q is there already", found.Singular, req.Name)
	}
	return answer(err)
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
