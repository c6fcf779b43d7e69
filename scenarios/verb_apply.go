package scenarios

import (
	"context"
	"encoding/json"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubectl/pkg/util"
)

// apply is kubectl apply -f with client-side apply: what was applied last is kept in an annotation, and the
// difference between that, the manifest and the live object becomes a strategic merge patch.
func apply(_ context.Context, r *run, i int, st Step) error {
	return r.eachManifest(i, "apply", st.Apply, func(m Manifest, target Target) error {
		if target.Name == "" {
			return errors.New("apply needs metadata.name; generateName works with create only")
		}
		modified, err := util.GetModifiedConfiguration(m.Unstructured.DeepCopy(), true, unstructured.UnstructuredJSONScheme)
		if err != nil {
			return err
		}
		live, err := r.send(r.request("get", target))
		if apierrors.IsNotFound(err) {
			return r.applyNew(m, target, modified)
		}
		if err != nil {
			return err
		}
		return r.applyPatch(m, target, modified, live)
	})
}

// applyNew creates the object together with the annotation.
func (r *run) applyNew(m Manifest, target Target, modified []byte) error {
	obj, err := scheme.Scheme.New(m.GVK)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(modified, obj); err != nil {
		return err
	}
	req := r.request("create", target)
	req.Name, req.Object = "", obj
	_, err = r.send(req)
	return err
}

func (r *run) applyPatch(m Manifest, target Target, modified []byte, live runtime.Object) error {
	accessor, err := meta.Accessor(live)
	if err != nil {
		return err
	}
	live.GetObjectKind().SetGroupVersionKind(m.GVK)
	current, err := json.Marshal(live)
	if err != nil {
		return err
	}
	original := []byte(accessor.GetAnnotations()[lastApplied])
	schema, err := strategicpatch.NewPatchMetaFromStruct(m.Object)
	if err != nil {
		return err
	}
	const overwrite = true
	body, err := strategicpatch.CreateThreeWayMergePatch(original, modified, current, schema, overwrite)
	if err != nil || string(body) == "{}" {
		return err
	}
	return r.sendPatch(target, types.StrategicMergePatchType, "", json.RawMessage(body))
}

// lastApplied is the annotation in which kubectl apply keeps the manifest.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
