//go:build kubernetes_before_1_35

package admissionplugin

import (
	quota "k8s.io/apiserver/pkg/quota/v1"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	quotainstall "k8s.io/kubernetes/pkg/quota/v1/install"
)

// quotaConfiguration has upstream's evaluators.
func quotaConfiguration(*serverstorage.ResourceConfig) (quota.Configuration, error) {
	return quotainstall.NewQuotaConfigurationForAdmission(), nil
}
