//go:build kubernetes_since_1_37

package gated

import (
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	storagemigrationv1beta1 "k8s.io/api/storagemigration/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/features"
)

var newer = map[featuregate.Feature][]schema.GroupVersionResource{
	features.CompositePodGroup:     {schedulingv1alpha3.SchemeGroupVersion.WithResource("compositepodgroups")},
	features.DRADeviceTaintRules:   {resourcev1alpha3.SchemeGroupVersion.WithResource("devicetaintrules")},
	features.DRAResourcePoolStatus: {resourcev1alpha3.SchemeGroupVersion.WithResource("resourcepoolstatusrequests")},
	features.GenericWorkload: {
		schedulingv1alpha3.SchemeGroupVersion.WithResource("podgroups"),
		schedulingv1alpha3.SchemeGroupVersion.WithResource("workloads"),
		schedulingv1beta1.SchemeGroupVersion.WithResource("podgroups"),
		schedulingv1beta1.SchemeGroupVersion.WithResource("workloads"),
	},
	features.StorageVersionMigrator: {storagemigrationv1beta1.SchemeGroupVersion.WithResource("storageversionmigrations")},
}
