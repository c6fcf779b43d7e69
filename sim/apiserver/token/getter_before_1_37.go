//go:build kubernetes_before_1_37

package token

import (
	"k8s.io/client-go/kubernetes"
	serviceaccountcontroller "k8s.io/kubernetes/pkg/controller/serviceaccount"
	"k8s.io/kubernetes/pkg/serviceaccount"

	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
)

// newGetter reads the objects that tokens are bound to.
func newGetter(client kubernetes.Interface, caches *storecache.Factory) serviceaccount.ServiceAccountTokenGetter {
	stored := caches.Core().V1()
	return serviceaccountcontroller.NewGetterFromClient(client, stored.Secrets().Lister(),
		stored.ServiceAccounts().Lister(), stored.Pods().Lister(), stored.Nodes().Lister())
}
