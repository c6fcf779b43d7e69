package apiserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	sigsjson "sigs.k8s.io/json"
)

// patch reads, patches and writes in the storage's own optimistic loop, like kube-apiserver's handler:
// the patch applies to the object in the version of the request, not to the stored form.
func patch(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	updater, ok := resource.storage.(rest.Updater)
	if !ok {
		return nil, notSupported(resource, req.Verb)
	}
	apply := func(_ context.Context, _, current runtime.Object) (runtime.Object, error) {
		// Events and Leases may be created by an update, never by a patch.
		if accessor, err := meta.Accessor(current); err != nil || accessor.GetUID() == "" &&
			resource.Subresource == "" {
			return nil, apierrors.NewNotFound(resource.GroupResource(), req.Name)
		}
		return applyPatch(current, resource, req)
	}
	options := metav1.UpdateOptions{
		DryRun: req.PatchOptions.DryRun, FieldManager: req.PatchOptions.FieldManager,
		FieldValidation: req.PatchOptions.FieldValidation,
	}
	out, _, err := updater.Update(ctx, req.Name, rest.DefaultUpdatedObjectInfo(nil, apply),
		rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &options)
	return out, err
}

// applyPatch turns the stored object into JSON of the request's version, patches it and decodes it again.
func applyPatch(current runtime.Object, resource *Resource, req Request) (runtime.Object, error) {
	versioned, err := legacyscheme.Scheme.ConvertToVersion(current, resource.Kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(versioned)
	if err != nil {
		return nil, err
	}
	after, err := patchJSON(before, versioned, resource, req)
	if err != nil {
		return nil, err
	}
	patched := reflect.New(reflect.TypeOf(versioned).Elem()).Interface().(runtime.Object)
	if strict, err := decode(after, patched); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	} else if len(strict) > 0 && req.PatchOptions.FieldValidation == metav1.FieldValidationStrict {
		return nil, apierrors.NewBadRequest(runtime.NewStrictDecodingError(strict).Error())
	}
	patched.GetObjectKind().SetGroupVersionKind(resource.Kind)
	legacyscheme.Scheme.Default(patched)
	return legacyscheme.Scheme.UnsafeConvertToVersion(patched, runtime.InternalGroupVersioner)
}

// decode reads JSON case-sensitively, as Kubernetes does; the second list names unknown and duplicate fields.
func decode(data []byte, into any) (strict []error, err error) {
	return sigsjson.UnmarshalStrict(data, into)
}

func patchJSON(before []byte, versioned runtime.Object, resource *Resource, req Request) ([]byte, error) {
	switch req.PatchType {
	case types.StrategicMergePatchType:
		after, err := strategicpatch.StrategicMergePatch(before, req.Patch, versioned)
		return after, patchError(resource.GroupResource(), req.Name, err)
	case types.MergePatchType:
		after, err := jsonpatch.MergePatch(before, req.Patch)
		return after, patchError(resource.GroupResource(), req.Name, err)
	case types.JSONPatchType:
		operations, err := jsonpatch.DecodePatch(req.Patch)
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		after, err := operations.Apply(before)
		if err != nil {
			return nil, apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "",
				err.Error(), 0, false)
		}
		return after, nil
	}
	return nil, apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, "patch", resource.GroupResource(), req.Name,
		"the body of the request was in an unknown format: "+string(req.PatchType), 0, false)
}

// patchError gives a failed patch the status that the handler gives it.
func patchError(resource schema.GroupResource, name string, err error) error {
	if err == nil {
		return nil
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return err
	}
	return apierrors.NewGenericServerResponse(http.StatusBadRequest, "patch", resource, name, err.Error(), 0, false)
}
