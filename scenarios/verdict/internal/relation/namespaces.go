package relation

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

var (
	namespaces = corev1.Resource("namespaces")
	accounts   = corev1.Resource("serviceaccounts")
)

var ofNamespaces = []Relation{
	{
		Name: "namespace-has-default-account", Of: of(namespaces, names.ServiceAccountController),
		Sentence:  "A namespace that is Active has the ServiceAccount default.",
		Reference: "https://kubernetes.io/docs/concepts/security/service-accounts/#default-service-accounts",
		broken: func(v *View, object runtime.Object) *Breach {
			return hasNot(v, object.(*corev1.Namespace), accounts, "ServiceAccount", "default")
		},
	},
	{
		Name: "namespace-has-root-certificates", Of: of(namespaces, names.RootCACertificatePublisherController),
		Sentence:  "A namespace that is Active has the ConfigMap kube-root-ca.crt.",
		Reference: "https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-token-volume",
		broken: func(v *View, object runtime.Object) *Breach {
			return hasNot(v, object.(*corev1.Namespace), corev1.Resource("configmaps"), "ConfigMap", "kube-root-ca.crt")
		},
	},
	{
		Name: "token-of-existing-account", Of: of(corev1.Resource("secrets"), names.ServiceAccountTokenController),
		Sentence:  "A Secret with the token of a ServiceAccount is deleted when the ServiceAccount is.",
		Reference: "https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#token-controller",
		broken: func(v *View, object runtime.Object) *Breach {
			secret := object.(*corev1.Secret)
			name := secret.Annotations[corev1.ServiceAccountNameKey]
			if secret.Type != corev1.SecretTypeServiceAccountToken || name == "" || secret.DeletionTimestamp != nil {
				return nil
			}
			uid := secret.Annotations[corev1.ServiceAccountUIDKey]
			found, exists := v.Get(accounts, secret.Namespace, name)
			if exists && (uid == "" || string(metaOf(found).GetUID()) == uid) {
				return nil
			}
			return broken("its ServiceAccount %s does not exist, but it is not deleted", name)
		},
	},
}

// hasNot says that a namespace lacks an object which each namespace has.
func hasNot(v *View, namespace *corev1.Namespace, resource schema.GroupResource, kind, name string) *Breach {
	if namespace.DeletionTimestamp != nil || namespace.Status.Phase != corev1.NamespaceActive {
		return nil
	}
	if _, exists := v.Get(resource, namespace.Name, name); exists {
		return nil
	}
	return broken("it does not have the %s %s", kind, name)
}
