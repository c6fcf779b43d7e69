package apiserver

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/kubernetes/plugin/pkg/admission/serviceaccount"

	api "k8s.io/kubernetes/pkg/apis/core"
)

// A request is executed on the goroutine of the engine, which must not sleep. Where upstream's plugins
// would, these refuse at once, with upstream's words.

// serviceAccounts is upstream's plugin without the ten looks that it takes, 100 to 200 ms apart, for an
// account named default. Server.Holds says when a request should be tried again instead.
type serviceAccounts struct {
	*serviceaccount.Plugin
	accounts   corelisters.ServiceAccountLister
	namespaces corelisters.NamespaceLister
}

func newServiceAccounts() (admission.Interface, error) {
	return &serviceAccounts{Plugin: serviceaccount.NewServiceAccount()}, nil
}

// SetExternalKubeInformerFactory implements initializer.WantsExternalKubeInformerFactory.
func (s *serviceAccounts) SetExternalKubeInformerFactory(factory informers.SharedInformerFactory) {
	s.Plugin.SetExternalKubeInformerFactory(factory)
	s.accounts = factory.Core().V1().ServiceAccounts().Lister()
	s.namespaces = factory.Core().V1().Namespaces().Lister()
}

// Admit implements admission.MutationInterface.
func (s *serviceAccounts) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	pod, ok := a.GetObject().(*api.Pod)
	if ok && a.GetOperation() == admission.Create && a.GetSubresource() == "" {
		_, isMirror := pod.Annotations[corev1.MirrorPodAnnotationKey]
		if !isMirror && s.lacks(a.GetNamespace(), pod.Spec.ServiceAccountName) {
			err := apierrors.NewNotFound(api.Resource("serviceaccount"), serviceaccount.DefaultServiceAccountName)
			return admission.NewForbidden(a, fmt.Errorf("error looking up service account %s/%s: %w",
				a.GetNamespace(), serviceaccount.DefaultServiceAccountName, err))
		}
	}
	return s.Plugin.Admit(ctx, a, o)
}

// lacks reports whether a pod with this account would have to wait for the account named default.
func (s *serviceAccounts) lacks(namespace, account string) bool {
	if account != "" && account != serviceaccount.DefaultServiceAccountName {
		return false
	}
	_, err := s.accounts.ServiceAccounts(namespace).Get(serviceaccount.DefaultServiceAccountName)
	return apierrors.IsNotFound(err)
}

// How often, and how far apart, kube-apiserver looks for a service account named default before it refuses
// a pod.
const (
	HoldAttempts = 10
	HoldMin      = 100 * time.Millisecond
	HoldMax      = 200*time.Millisecond - 1
)

// Holds reports whether kube-apiserver would hold a request now: a pod whose namespace has no service account named
// default yet, because its controller has not created it. The caller decides whether to retry later; Do refuses.
func (s *Server) Holds(req Request) bool {
	accounts := s.admission.accounts
	if accounts == nil || req.Verb != "create" || req.Subresource != "" {
		return false
	}
	pod, ok := req.Object.(*corev1.Pod)
	if !ok {
		return false
	}
	if _, err := accounts.namespaces.Get(req.Namespace); err != nil {
		return false
	}
	_, isMirror := pod.Annotations[corev1.MirrorPodAnnotationKey]
	return !isMirror && accounts.lacks(req.Namespace, pod.Spec.ServiceAccountName)
}
