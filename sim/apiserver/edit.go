package apiserver

import (
	"context"
	"fmt"
	"reflect"

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

// storeOf finds the generic store that nearly all registries embed.
func storeOf(resource *Resource) (*genericregistry.Store, bool) {
	v := reflect.Indirect(reflect.ValueOf(resource.storage))
	if v.Kind() != reflect.Struct {
		return nil, false
	}
	field := v.FieldByName("Store")
	if !field.IsValid() || !field.CanInterface() {
		return nil, false
	}
	store, ok := field.Interface().(*genericregistry.Store)
	return store, ok && store != nil
}
