package operator

import (
	"context"
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// RunWithWebhooks runs the operator and its admission webhooks for Deployments. testdata/webhooks.yaml has their configurations.
func RunWithWebhooks(ctx context.Context, cluster *rest.Config, options ctrl.Options) error {
	manager, err := newManager(cluster, options)
	if err != nil {
		return err
	}
	err = ctrl.NewWebhookManagedBy(manager, &appsv1.Deployment{}).WithDefaulter(names{}).WithValidator(ports{}).Complete()
	if err != nil {
		return err
	}
	return manager.Start(ctx)
}

// wellKnown are the names that the annotation may have in place of a number.
var wellKnown = map[string]string{"http": "80", "https": "443"}

// names is a mutating webhook: it replaces the name of a port by its number.
type names struct{}

// Default implements admission.Defaulter.
func (names) Default(_ context.Context, deployment *appsv1.Deployment) error {
	if number, known := wellKnown[deployment.Annotations[Expose]]; known {
		deployment.Annotations[Expose] = number
	}
	return nil
}

// ports is a validating webhook: it denies what is no port.
type ports struct{}

// ValidateCreate implements admission.Validator.
func (ports) ValidateCreate(_ context.Context, deployment *appsv1.Deployment) (admission.Warnings, error) {
	text, exposed := deployment.Annotations[Expose]
	if port, err := strconv.ParseUint(text, 10, 16); exposed && (err != nil || port == 0) {
		return nil, fmt.Errorf("annotation %s: %q is no port", Expose, text)
	}
	return nil, nil
}

// ValidateUpdate implements admission.Validator.
func (p ports) ValidateUpdate(ctx context.Context, _, deployment *appsv1.Deployment) (admission.Warnings, error) {
	return p.ValidateCreate(ctx, deployment)
}

// ValidateDelete implements admission.Validator.
func (ports) ValidateDelete(context.Context, *appsv1.Deployment) (admission.Warnings, error) {
	return nil, nil
}
