package apiserver

import (
	"context"
	"encoding/json"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"

	"github.com/kubestep/kubestep/sim/apiserver/extensions"
)

// editCustom is Edit of a custom resource or a definition.
func (s *Server) editCustom(req Request) error {
	store, key, err := s.rawStore(req)
	if err != nil {
		return err
	}
	apply := storage.SimpleUpdate(func(current runtime.Object) (runtime.Object, error) {
		data, err := json.Marshal(current)
		if err != nil {
			return nil, err
		}
		if data, err = jsonpatch.MergePatch(data, req.Patch); err != nil {
			return nil, err
		}
		next := &unstructured.Unstructured{}
		return next, next.UnmarshalJSON(data)
	})
	err = store.GuaranteedUpdate(context.Background(), key, &unstructured.Unstructured{}, false, nil, apply, nil)
	if storage.IsNotFound(err) {
		return fmt.Errorf("there is no %s %q to edit", req.Resource.Resource, req.Name)
	}
	return answer(err)
}

// restoreCustom is Restore of a custom resource or a definition. An object is stored in the version that it has: it need not be
// the one in which its definition says that new ones are stored.
func (s *Server) restoreCustom(req Request) error {
	store, key, err := s.rawStore(req)
	if err != nil {
		return err
	}
	object, ok := req.Object.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("apiserver: a %T is not a custom resource", req.Object)
	}
	object = object.DeepCopy()
	object.SetResourceVersion("")
	err = store.Create(context.Background(), key, object, &unstructured.Unstructured{}, 0)
	if storage.IsExist(err) {
		return fmt.Errorf("%s %q is there already", req.Resource.Resource, req.Name)
	}
	return answer(err)
}

// rawStore is where the object of a request is.
func (s *Server) rawStore(req Request) (storage.Interface, string, error) {
	return extensions.Raw(s.db, storageRoot, req.Resource.GroupResource(), req.Namespace, req.Name)
}
