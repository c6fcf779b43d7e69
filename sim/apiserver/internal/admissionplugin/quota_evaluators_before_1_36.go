//go:build kubernetes_before_1_36 && !kubernetes_before_1_35

package admissionplugin

import (
	quota "k8s.io/apiserver/pkg/quota/v1"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	quotainstall "k8s.io/kubernetes/pkg/quota/v1/install"
)

// quotaConfiguration has upstream's evaluators. Without informers, that of ResourceClaims counts the devices of claims, but not the
// extended resources of Pods that claims stand for.
func quotaConfiguration(*serverstorage.ResourceConfig) (quota.Configuration, error) {
	return quotainstall.NewQuotaConfigurationForAdmission(nil), nil
}
