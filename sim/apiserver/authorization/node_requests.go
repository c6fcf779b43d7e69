//go:build !kubernetes_before_1_37

package authorization

import (
	certificates "k8s.io/client-go/informers/certificates/v1"

	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
)

// podCertificateRequests are those that the graph of the Node authorizer holds, in the version that it reads.
func podCertificateRequests(caches *storecache.Factory) certificates.PodCertificateRequestInformer {
	return caches.Certificates().V1().PodCertificateRequests()
}
