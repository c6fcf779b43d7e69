//go:build !kubernetes_before_1_36

package admissionplugin

import (
	resourcev1 "k8s.io/api/resource/v1"
	quota "k8s.io/apiserver/pkg/quota/v1"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	quotainstall "k8s.io/kubernetes/pkg/quota/v1/install"
)

// quotaConfiguration has upstream's evaluators, except that of ResourceClaims, which wants event handlers of running informers.
// Without it these are counted like any other object, and not by their device class.
func quotaConfiguration(served *serverstorage.ResourceConfig) (quota.Configuration, error) {
	served.DisableResources(resourcev1.SchemeGroupVersion.WithResource("resourceclaims"))
	return quotainstall.NewQuotaConfigurationForAdmission(nil, served)
}
