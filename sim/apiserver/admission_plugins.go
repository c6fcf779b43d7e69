//go:build !kubernetes_before_1_37

package apiserver

import (
	"k8s.io/kubernetes/plugin/pkg/admission/podresize"
	"k8s.io/kubernetes/plugin/pkg/admission/scheduling/podgroupprotection"
)

// The plugins that Kubernetes 1.36 added and 1.37 kept.
var (
	podGroupProtection = admissionPlugin{podgroupprotection.PluginName, podgroupprotection.Register, false}
	podResize          = admissionPlugin{podresize.PluginName, podresize.Register, false}
)

// Kubernetes 1.37 removed these plugins.
var podGroupExists, jobValidation admissionPlugin
