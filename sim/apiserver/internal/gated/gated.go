// Package gated knows the resources that feature gates add to an API server: the alpha and beta resources that a controller behind
// a feature gate works on. A real API server wants two switches for them, the gate and --runtime-config; here the gate brings both,
// since nobody would set the one without the other.
package gated

import (
	apiserverinternalv1alpha1 "k8s.io/api/apiserverinternal/v1alpha1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericfeatures "k8s.io/apiserver/pkg/features"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/features"
)

// resources are those that all versions of Kubernetes have; newer are those that differ.
var resources = map[featuregate.Feature][]schema.GroupVersionResource{
	features.ClusterTrustBundle:    {certificatesv1beta1.SchemeGroupVersion.WithResource("clustertrustbundles")},
	features.PodCertificateRequest: {certificatesv1beta1.SchemeGroupVersion.WithResource("podcertificaterequests")},
	genericfeatures.StorageVersionAPI: {
		apiserverinternalv1alpha1.SchemeGroupVersion.WithResource("storageversions"),
	},
}

// resource names a resource by its group, its version and its plural name. The packages of k8s.io/api that one version of
// Kubernetes has and another lacks would give the same names, but go mod tidy looks at the files of all build tags: it finds no module
// that has them all, neither here nor in a module that requires kubestep.
func resource(group, version, plural string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: plural}
}

// Enable serves the resources whose gates are on.
func Enable(config *serverstorage.ResourceConfig) {
	for _, table := range []map[featuregate.Feature][]schema.GroupVersionResource{resources, newer} {
		for gate, gated := range table {
			if utilfeature.DefaultFeatureGate.Enabled(gate) {
				config.EnableResources(gated...)
			}
		}
	}
}
