//go:build !kubernetes_before_1_36

package discovery

import "k8s.io/endpointslice"

// trafficDistribution has the reconciler give hints for all values of the field trafficDistribution.
func trafficDistribution() endpointslice.ReconcilerOption {
	return endpointslice.WithPreferSameTrafficDistributionEnabled(true)
}
