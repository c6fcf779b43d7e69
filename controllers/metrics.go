package controllers

import (
	"k8s.io/component-base/metrics/legacyregistry"
	replicasetmetrics "k8s.io/kubernetes/pkg/controller/replicaset/metrics"
)

// forgetMetrics allows building the ReplicaSet controller more than once in a process. It registers its metrics each
// time, and logs an error the second time, which no real manager does.
func forgetMetrics() {
	if ratio := replicasetmetrics.SortingDeletionAgeRatio; ratio.IsCreated() {
		legacyregistry.Registerer().Unregister(ratio)
	}
	forgetSkips()
}
