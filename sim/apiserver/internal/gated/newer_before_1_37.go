//go:build kubernetes_before_1_37 && !kubernetes_before_1_36

package gated

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/features"
)

var newer = map[featuregate.Feature][]schema.GroupVersionResource{
	features.DRADeviceTaintRules:   {resource("resource.k8s.io", "v1alpha3", "devicetaintrules")},
	features.DRAResourcePoolStatus: {resource("resource.k8s.io", "v1alpha3", "resourcepoolstatusrequests")},
	features.GenericWorkload: {
		resource("scheduling.k8s.io", "v1alpha2", "podgroups"),
		resource("scheduling.k8s.io", "v1alpha2", "workloads"),
	},
	features.StorageVersionMigrator: {resource("storagemigration.k8s.io", "v1beta1", "storageversionmigrations")},
}
