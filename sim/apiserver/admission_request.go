package apiserver

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/dryrun"
)

// question puts one request to the admission plugins, as kube-apiserver's handlers do: mutating plugins see
// the object before the storage does, validating ones when the storage has prepared it.
type question struct {
	resource *Resource
	request  Request
	name     string
}

// attributes describes an operation. An update or patch of what does not exist is a Create.
func (q question) attributes(ctx context.Context, operation admission.Operation, obj, old runtime.Object) admission.Attributes {
	req := q.request
	namespace := req.Namespace
	if q.resource.Resource == "namespaces" {
		// A namespace counts as its own.
		namespace = q.name
	}
	requester, _ := genericrequest.UserFrom(ctx)
	options, dryRun := operationOptions(req, operation)
	return admission.NewAttributesRecord(obj, old, q.resource.Kind, namespace, q.name,
		q.resource.GroupVersionResource, q.resource.Subresource, operation, options, dryrun.IsDryRun(dryRun), requester)
}

// operationOptions returns the options of a request in the form that belongs to the operation.
func operationOptions(req Request, operation admission.Operation) (options runtime.Object, dryRun []string) {
	switch {
	case operation == admission.Delete:
		return &req.DeleteOptions, req.DeleteOptions.DryRun
	case req.Verb == "create":
		return &req.CreateOptions, req.CreateOptions.DryRun
	}
	update := req.UpdateOptions
	if req.Verb == "patch" {
		update = patchToUpdate(req.PatchOptions)
	}
	if operation == admission.Update {
		return &update, update.DryRun
	}
	return &metav1.CreateOptions{
		DryRun: update.DryRun, FieldManager: update.FieldManager, FieldValidation: update.FieldValidation,
	}, update.DryRun
}

// patchToUpdate returns the options of the update that a patch is to its storage.
func patchToUpdate(options metav1.PatchOptions) metav1.UpdateOptions {
	return metav1.UpdateOptions{
		DryRun: options.DryRun, FieldManager: options.FieldManager, FieldValidation: options.FieldValidation,
	}
}

// mutateNew lets the plugins complete or refuse an object that is about to be created.
func (q question) mutateNew(ctx context.Context, obj runtime.Object) error {
	if err := q.mutate(ctx, admission.Create, obj, nil); err != nil {
		return err
	}
	withoutRepeatedOwners(obj)
	return nil
}

// mutateUpdated is the last step before the storage of an update or patch.
func (q question) mutateUpdated(ctx context.Context, obj, old runtime.Object) (runtime.Object, error) {
	operation := admission.Update
	if !isStored(old) {
		operation, old = admission.Create, nil
	}
	if err := q.mutate(ctx, operation, obj, old); err != nil {
		return nil, err
	}
	withoutRepeatedOwners(obj)
	return obj, nil
}

func (q question) mutate(ctx context.Context, operation admission.Operation, obj, old runtime.Object) error {
	if !q.resource.admission.Handles(operation) {
		return nil
	}
	return q.resource.admission.Admit(ctx, q.attributes(ctx, operation, obj, old), q.resource.admission.objects)
}

// withoutRepeatedOwners cleans up what a plugin may have added; not everything has owners.
func withoutRepeatedOwners(obj runtime.Object) {
	if accessor, err := meta.Accessor(obj); err == nil {
		dropRepeatedOwners(accessor)
	}
}

func (q question) validateNew(ctx context.Context) rest.ValidateObjectFunc {
	return rest.AdmissionToValidateObjectFunc(
		q.resource.admission, q.attributes(ctx, admission.Create, nil, nil), q.resource.admission.objects)
}

func (q question) validateUpdated(ctx context.Context) rest.ValidateObjectUpdateFunc {
	return rest.AdmissionToValidateObjectUpdateFunc(
		q.resource.admission, q.attributes(ctx, admission.Update, nil, nil), q.resource.admission.objects)
}

// validateDeleted asks mutating and validating plugins: a deletion has no object to mutate.
func (q question) validateDeleted(ctx context.Context) rest.ValidateObjectFunc {
	return rest.AdmissionToValidateObjectDeleteFunc(
		q.resource.admission, q.attributes(ctx, admission.Delete, nil, nil), q.resource.admission.objects)
}
