//go:build !kubernetes_before_1_35

package core

import (
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/generic"
	kubeletclient "k8s.io/kubernetes/pkg/kubelet/client"
	podstore "k8s.io/kubernetes/pkg/registry/core/pod/storage"
)

// newPods makes the storages of pods and their subresources.
func newPods(options generic.RESTOptionsGetter, kubelets kubeletclient.ConnectionInfoGetter, pdbs evictionClient,
	authorize authorizer.Authorizer,
) (podstore.PodStorage, error) {
	return podstore.NewStorage(options, kubelets, nil, pdbs, authorize)
}
