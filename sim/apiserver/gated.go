package apiserver

import (
	apiserverinternalv1alpha1 "k8s.io/api/apiserverinternal/v1alpha1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"
	storagemigrationv1beta1 "k8s.io/api/storagemigration/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericfeatures "k8s.io/apiserver/pkg/features"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/features"
)

// gatedResources are the alpha and beta resources that a controller behind a feature gate works on. A real
// API server wants two switches for them, the gate and --runtime-config; here the gate brings both, since
// nobody would set the one without the other.
var gatedResources = map[featuregate.Feature][]schema.GroupVersionResource{
	features.ClusterTrustBundle: {certificatesv1beta1.SchemeGroupVersion.WithResource("clustertrustbundles")},
	features.DRADeviceTaintRules: {
		resourcev1alpha3.SchemeGroupVersion.WithResource("devicetaintrules"),
	},
	features.DRAResourcePoolStatus: {resourcev1alpha3.SchemeGroupVersion.WithResource("resourcepoolstatusrequests")},
	features.GenericWorkload: {
		schedulingv1alpha2.SchemeGroupVersion.WithResource("podgroups"),
		schedulingv1alpha2.SchemeGroupVersion.WithResource("workloads"),
	},
	features.PodCertificateRequest: {certificatesv1beta1.SchemeGroupVersion.WithResource("podcertificaterequests")},
	features.StorageVersionMigrator: {
		storagemigrationv1beta1.SchemeGroupVersion.WithResource("storageversionmigrations"),
	},
	genericfeatures.StorageVersionAPI: {
		apiserverinternalv1alpha1.SchemeGroupVersion.WithResource("storageversions"),
	},
}

// enableGated serves the resources whose gates are on.
func enableGated(config *serverstorage.ResourceConfig) {
	for gate, resources := range gatedResources {
		if utilfeature.DefaultFeatureGate.Enabled(gate) {
			config.EnableResources(resources...)
		}
	}
}
