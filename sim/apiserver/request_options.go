package apiserver

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternal "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metainternalvalidation "k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// checkOptions validates what a write carries besides its body, such as an unknown dryRun value.
func checkOptions(req Request) error {
	switch req.Verb {
	case "create":
		return invalidOptions("CreateOptions", validation.ValidateCreateOptions(&req.CreateOptions))
	case "update":
		return invalidOptions("UpdateOptions", validation.ValidateUpdateOptions(&req.UpdateOptions))
	case "patch":
		return invalidOptions("PatchOptions", validation.ValidatePatchOptions(&req.PatchOptions, req.PatchType))
	case "delete", "deletecollection":
		return invalidOptions("DeleteOptions", validation.ValidateDeleteOptions(&req.DeleteOptions))
	}
	return nil
}

func invalidOptions(kind string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: kind}, "", errs)
}

// listOptions parses and validates the options of a list, a watch or a deletecollection, and renames
// the fields of a field selector into the internal version.
func listOptions(resource *Resource, in metav1.ListOptions) (*metainternal.ListOptions, error) {
	out := &metainternal.ListOptions{}
	if err := metainternal.Convert_v1_ListOptions_To_internalversion_ListOptions(&in, out, nil); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	streaming := utilfeature.DefaultFeatureGate.Enabled(features.WatchList)
	metainternal.SetListOptionsDefaults(out, streaming)
	if errs := metainternalvalidation.ValidateListOptions(out, streaming); len(errs) > 0 {
		return nil, invalidOptions("ListOptions", errs)
	}
	if out.FieldSelector == nil {
		return out, nil
	}
	renamed, err := out.FieldSelector.Transform(func(label, value string) (string, string, error) {
		return legacyscheme.Scheme.ConvertFieldLabel(resource.Kind, label, value)
	})
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	out.FieldSelector = renamed
	return out, nil
}
