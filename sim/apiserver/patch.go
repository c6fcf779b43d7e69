package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	sigsjson "sigs.k8s.io/json"

	"github.com/kubestep/kubestep/sim/trace"
)

// patchTypes are the patches served here; server-side apply goes another way (Server.apply).
var patchTypes = []types.PatchType{
	types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType,
}

// patch reads, patches and writes in the storage's own optimistic loop, like kube-apiserver's handler:
// the patch applies to the object in the version of the request, not to the stored form.
func patch(ctx context.Context, resource *Resource, req Request) (runtime.Object, error) {
	patcher, ok := resource.storage.(rest.Patcher)
	if !ok {
		return nil, notAllowed()
	}
	if !slices.Contains(patchTypes, req.PatchType) {
		return nil, routing(http.StatusUnsupportedMediaType, "415: Unsupported Media Type")
	}
	if err := checkOptions(req); err != nil {
		return nil, err
	}
	apply := func(_ context.Context, _, current runtime.Object) (runtime.Object, error) {
		// Events and Leases may be created by an update, never by a patch.
		if !isStored(current) {
			return nil, apierrors.NewNotFound(resource.GroupResource(), req.Name)
		}
		patched, err := applyPatch(current, resource, req)
		if err != nil {
			return nil, err
		}
		return resource.manage(req, req.PatchOptions.FieldManager, current, patched)
	}
	admit := question{resource, req, req.Name}
	options := patchToUpdate(req.PatchOptions)
	out, _, err := patcher.Update(ctx, req.Name, rest.DefaultUpdatedObjectInfo(nil, apply, admit.mutateUpdated),
		admit.validateNew(ctx), admit.validateUpdated(ctx), false, &options)
	return out, err
}

func applyPatch(current runtime.Object, resource *Resource, req Request) (runtime.Object, error) {
	if len(req.Patch) > maxBodyBytes {
		return nil, tooLarge()
	}
	if !isPatch(req.Patch) {
		return nil, apierrors.NewBadRequest("invalid JSON patch")
	}
	apply := applyJSON
	if req.PatchType == types.StrategicMergePatchType {
		apply = applyStrategic
	}
	patched, err := apply(current, resource, req)
	if err != nil {
		return nil, err
	}
	accessor, err := meta.Accessor(patched)
	if err != nil {
		return nil, err
	}
	if err := placeInNamespace(resource, req, accessor); err != nil {
		return nil, err
	}
	if err := checkName(req.Name, accessor); err != nil {
		return nil, err
	}
	dropRepeatedOwners(accessor)
	return patched, nil
}

// applyJSON applies a JSON patch or a JSON merge patch, both to the object's JSON as text.
func applyJSON(current runtime.Object, resource *Resource, req Request) (runtime.Object, error) {
	codec, err := patchCodec(resource.Kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	before, err := runtime.Encode(codec, current)
	if err != nil {
		return nil, err
	}
	after, strict, err := patchJSON(before, req)
	if err != nil {
		return nil, err
	}
	patched := resource.storage.New()
	err = runtime.DecodeInto(codec, after, patched)
	return patched, patchedError(req, string(after), strict, err)
}

// patchCodec reads and writes JSON of one version, and names unknown and duplicate fields.
func patchCodec(version schema.GroupVersion) (runtime.Codec, error) {
	info, ok := runtime.SerializerInfoForMediaType(
		legacyscheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	if !ok {
		return nil, errors.New("the scheme has no JSON serializer")
	}
	internal := schema.GroupVersion{Group: version.Group, Version: runtime.APIVersionInternal}
	return runtime.NewCodec(
		legacyscheme.Codecs.EncoderForVersion(info.Serializer, version),
		legacyscheme.Codecs.DecoderToVersion(info.StrictSerializer, internal)), nil
}

// maxJSONPatchOperations is how many operations a JSON patch may have (k8s.io/apiserver/pkg/endpoints/handlers/patch.go).
const maxJSONPatchOperations = 10000

// patchJSON returns the patched text. strict names what is wrong with the patch itself but does not
// keep it from being applied.
func patchJSON(before []byte, req Request) (after []byte, strict []error, err error) {
	if req.PatchType == types.MergePatchType {
		if strict, err = sigsjson.UnmarshalStrict(req.Patch, &map[string]any{}); err != nil {
			return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
		}
		after, err = jsonpatch.MergePatch(before, req.Patch)
		if errors.Is(err, jsonpatch.ErrBadJSONPatch) {
			err = apierrors.NewBadRequest(err.Error())
		}
		return after, strict, err
	}
	if strict, err = sigsjson.UnmarshalStrict(req.Patch, &[]jsonPatchOp{}); err != nil {
		// The message names the type of upstream's handler.
		message := strings.Replace(err.Error(), "apiserver.jsonPatchOp", "handlers.jsonPatchOp", 1)
		return nil, nil, apierrors.NewBadRequest("error decoding patch: " + message)
	}
	for i, err := range strict {
		strict[i] = fmt.Errorf("json patch %w", err)
	}
	operations, err := jsonpatch.DecodePatch(req.Patch)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	if len(operations) > maxJSONPatchOperations {
		return nil, nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf(
			"The allowed maximum operations in a JSON patch is %d, got %d", maxJSONPatchOperations, len(operations)))
	}
	if after, err = operations.Apply(before); err != nil {
		// A failed test operation ends here, too. The message does not reach the client.
		return nil, nil, routing(http.StatusUnprocessableEntity, err.Error())
	}
	return after, strict, nil
}

// jsonPatchOp has the fields that one operation of a JSON patch may have.
type jsonPatchOp struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

// applyStrategic applies a strategic merge patch, which knows from the Go type which lists are keyed.
func applyStrategic(current runtime.Object, resource *Resource, req Request) (runtime.Object, error) {
	versioned, err := legacyscheme.Scheme.ConvertToVersion(current, resource.Kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	before, err := runtime.DefaultUnstructuredConverter.ToUnstructured(versioned)
	if err != nil {
		return nil, err
	}
	body := map[string]any{}
	strict, err := sigsjson.UnmarshalStrict(req.Patch, &body)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	after, err := strategicpatch.StrategicMergeMapPatch(before, body, versioned)
	if err != nil {
		return nil, strategicError(err)
	}
	patched, err := legacyscheme.Scheme.New(resource.Kind)
	if err != nil {
		return nil, err
	}
	const reportUnknown = true
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(after, patched, reportUnknown)
	if err := patchedError(req, fmt.Sprintf("%+v", body), strict, err); err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(patched)
	return legacyscheme.Scheme.UnsafeConvertToVersion(patched, runtime.InternalGroupVersioner)
}

// strategicError gives a strategic merge patch that cannot be applied its status.
func strategicError(err error) error {
	switch {
	case errors.Is(err, mergepatch.ErrBadJSONDoc),
		errors.Is(err, mergepatch.ErrBadPatchFormatForPrimitiveList),
		errors.Is(err, mergepatch.ErrBadPatchFormatForRetainKeys),
		errors.Is(err, mergepatch.ErrBadPatchFormatForSetElementOrderList),
		errors.Is(err, mergepatch.ErrUnsupportedStrategicMergePatchFormat):
		return apierrors.NewBadRequest(err.Error())
	case errors.Is(err, mergepatch.ErrNoListOfLists),
		errors.Is(err, mergepatch.ErrPatchContentNotMatchRetainKeys):
		return routing(http.StatusUnprocessableEntity, err.Error())
	}
	return err
}

// patchedError judges what came of decoding a patched object. Unknown and duplicate fields are dropped
// with a warning unless the client asks for fieldValidation=Strict.
func patchedError(req Request, patch string, strict []error, err error) error {
	if err != nil {
		decoding, ok := runtime.AsStrictDecodingError(err)
		if !ok {
			return invalidPatch(req, patch, err)
		}
		strict = append(strict, decoding.Errors()...)
	}
	if len(strict) > 0 && req.PatchOptions.FieldValidation == metav1.FieldValidationStrict {
		return invalidPatch(req, patch, runtime.NewStrictDecodingError(strict))
	}
	return nil
}

// invalidPatch refuses a patch and shows it, unless it is that of a Secret: messages of the server go into logs, Events and
// conditions, where nothing else would redact the values.
func invalidPatch(req Request, patch string, err error) error {
	if req.Resource.GroupResource() == corev1.Resource("secrets") {
		patch = trace.RedactedValue([]byte(patch))
	}
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), patch, err.Error()),
	})
}
