//go:build !kubernetes_before_1_36

package controllers

import (
	"k8s.io/component-base/metrics/legacyregistry"
	replicasetmetrics "k8s.io/kubernetes/pkg/controller/replicaset/metrics"
)

// forgetSkips forgets the metric of syncs that wait for a stale cache.
func forgetSkips() {
	if skips := replicasetmetrics.ReplicaSetRequeueSkips; skips.IsCreated() {
		legacyregistry.Registerer().Unregister(skips)
	}
}
