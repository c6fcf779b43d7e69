package admissionplugin

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// namespaceLifecycle is upstream's plugin without the 50 ms for which it gives its cache the chance to see
// a new namespace. The cache here never lags.
type namespaceLifecycle struct {
	*lifecycle.Lifecycle
	namespaces corelisters.NamespaceLister
}

// NewNamespaceLifecycle returns the plugin NamespaceLifecycle.
func NewNamespaceLifecycle() (admission.Interface, error) {
	upstream, err := lifecycle.NewLifecycle(immortal)
	return &namespaceLifecycle{Lifecycle: upstream}, err
}

// SetExternalKubeInformerFactory implements initializer.WantsExternalKubeInformerFactory.
func (l *namespaceLifecycle) SetExternalKubeInformerFactory(factory informers.SharedInformerFactory) {
	l.Lifecycle.SetExternalKubeInformerFactory(factory)
	l.namespaces = factory.Core().V1().Namespaces().Lister()
}

// Admit implements admission.MutationInterface.
func (l *namespaceLifecycle) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	created := a.GetOperation() == admission.Create && a.GetNamespace() != "" &&
		a.GetKind().GroupKind() != corev1.SchemeGroupVersion.WithKind("Namespace").GroupKind() &&
		a.GetResource().Resource != "localsubjectaccessreviews"
	if created {
		if _, err := l.namespaces.Get(a.GetNamespace()); apierrors.IsNotFound(err) {
			return apierrors.NewNotFound(corev1.Resource("namespaces"), a.GetNamespace())
		}
	}
	return l.Lifecycle.Admit(ctx, a, o)
}
