//go:build !kubernetes_before_1_36 && !kubernetes_since_1_37

package apiserver

import (
	jobadmission "k8s.io/kubernetes/plugin/pkg/admission/job"
	"k8s.io/kubernetes/plugin/pkg/admission/podgroup"
	"k8s.io/kubernetes/plugin/pkg/admission/podresize"
	"k8s.io/kubernetes/plugin/pkg/admission/scheduling/podgroupprotection"
)

// The plugins that Kubernetes 1.36 added.
var (
	podGroupProtection = admissionPlugin{podgroupprotection.PluginName, podgroupprotection.Register, false}
	podGroupExists     = admissionPlugin{podgroup.PluginName, podgroup.Register, false}
	jobValidation      = admissionPlugin{jobadmission.PluginName, jobadmission.Register, false}
	podResize          = admissionPlugin{podresize.PluginName, podresize.Register, false}
)
