//go:build !kubernetes_before_1_37

package gated

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/features"
)

var newer = map[featuregate.Feature][]schema.GroupVersionResource{
	features.CompositePodGroup:     {resource("scheduling.k8s.io", "v1alpha3", "compositepodgroups")},
	features.DRADeviceTaintRules:   {resource("resource.k8s.io", "v1alpha3", "devicetaintrules")},
	features.DRAResourcePoolStatus: {resource("resource.k8s.io", "v1alpha3", "resourcepoolstatusrequests")},
	features.GenericWorkload: {
		resource("scheduling.k8s.io", "v1alpha3", "podgroups"),
		resource("scheduling.k8s.io", "v1alpha3", "workloads"),
		resource("scheduling.k8s.io", "v1beta1", "podgroups"),
		resource("scheduling.k8s.io", "v1beta1", "workloads"),
	},
	features.StorageVersionMigrator: {resource("storagemigration.k8s.io", "v1beta1", "storageversionmigrations")},
}
