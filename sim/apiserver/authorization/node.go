package authorization

import (
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/kubernetes/pkg/auth/nodeidentifier"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/node"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"

	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
)

// nodes is upstream's Node authorizer: a kubelet, the user system:node:NAME of the group system:nodes, may read the Secrets, ConfigMaps,
// claims and volumes of the Pods on its node, and write about its node and these Pods (pkg/kubeapiserver/authorizer/config.go).
func nodes(caches *storecache.Factory) authorizer.Authorizer {
	graph := node.NewGraph()
	core, storage := caches.Core().V1(), caches.Storage().V1()
	node.AddGraphEventHandlers(graph, core.Nodes(), core.Pods(), core.PersistentVolumes(), storage.VolumeAttachments(),
		caches.Resource().V1().ResourceSlices(), podCertificateRequests(caches))
	return node.NewAuthorizer(graph, nodeidentifier.NewDefaultNodeIdentifier(), bootstrappolicy.NodeRules())
}
