//go:build !kubernetes_before_1_36

package apiserver

import (
	"k8s.io/apiserver/pkg/authorization/authorizer"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	resourcerest "k8s.io/kubernetes/pkg/registry/resource/rest"
)

// resourceStorage has the storages of the group resource.k8s.io.
func resourceStorage(authorize authorizer.Authorizer, namespaces corev1client.NamespaceInterface) restStorageProvider {
	return resourcerest.RESTStorageProvider{Authorizer: authorize, NamespaceClient: namespaces}
}
