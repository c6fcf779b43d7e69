//go:build kubernetes_before_1_36

package discovery

import (
	"k8s.io/endpointslice"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"
)

// trafficDistribution has the reconciler give hints for the values of the field trafficDistribution, as its controller does.
func trafficDistribution() endpointslice.ReconcilerOption {
	return endpointslice.WithTrafficDistributionEnabled(utilfeature.DefaultFeatureGate.Enabled(features.ServiceTrafficDistribution),
		utilfeature.DefaultFeatureGate.Enabled(features.PreferSameTrafficDistribution))
}
