//go:build kubernetes_before_1_36

package gated

import (
	schedulingv1alpha1 "k8s.io/api/scheduling/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/features"
)

var newer = map[featuregate.Feature][]schema.GroupVersionResource{
	features.GenericWorkload: {schedulingv1alpha1.SchemeGroupVersion.WithResource("workloads")},
}
