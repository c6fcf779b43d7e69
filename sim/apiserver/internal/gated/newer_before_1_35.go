//go:build kubernetes_before_1_35

package gated

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/features"
)

var newer = map[featuregate.Feature][]schema.GroupVersionResource{
	features.DRADeviceTaints:        {resource("resource.k8s.io", "v1alpha3", "devicetaintrules")},
	features.StorageVersionMigrator: {resource("storagemigration.k8s.io", "v1alpha1", "storageversionmigrations")},
}
