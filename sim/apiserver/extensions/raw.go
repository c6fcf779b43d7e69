package extensions

import (
	"context"
	"encoding/json"
	"fmt"
	"path"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// Raw is a place for an object in the storage as it is, without definition, schema and versions.
type Raw struct {
	store storage.Interface
	key   string
}

// RawOf is the place of a custom resource or a definition below root.
func RawOf(db *memdb.DB, root string, resource schema.GroupResource, namespace, name string) (Raw, error) {
	config := storagebackend.Config{Prefix: root, Codec: unstructured.UnstructuredJSONScheme}
	at := "/" + prefix(resource)
	store, _, err := db.VersionDecorator(config.ForResource(resource), at, nil,
		func() runtime.Object { return &unstructured.Unstructured{} }, nil, nil, nil, nil)
	return Raw{store, path.Join(at, namespace, name)}, err
}

// Merge changes the object by a JSON merge patch. Its errors are those of the storage.
func (r Raw) Merge(patch []byte) error {
	apply := storage.SimpleUpdate(func(current runtime.Object) (runtime.Object, error) {
		data, err := json.Marshal(current)
		if err != nil {
			return nil, err
		}
		if data, err = jsonpatch.MergePatch(data, patch); err != nil {
			return nil, err
		}
		next := &unstructured.Unstructured{}
		return next, next.UnmarshalJSON(data)
	})
	return r.store.GuaranteedUpdate(context.Background(), r.key, &unstructured.Unstructured{}, false, nil, apply, nil)
}

// Create adds an object. It is stored in the version that it has: it need not be the one in which its definition says that new
// ones are stored. The errors are those of the storage.
func (r Raw) Create(object runtime.Object) error {
	custom, ok := object.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("extensions: a %T is not a custom resource", object)
	}
	custom = custom.DeepCopy()
	custom.SetResourceVersion("")
	return r.store.Create(context.Background(), r.key, custom, &unstructured.Unstructured{}, 0)
}
