//go:build kubernetes_before_1_37 && !kubernetes_before_1_36

package apiserver

import (
	_ "unsafe" // for go:linkname

	"k8s.io/apiserver/pkg/admission"
	_ "k8s.io/kubernetes/pkg/kubeapiserver/options" // links the packages of all plugins
	"k8s.io/kubernetes/plugin/pkg/admission/podresize"
	"k8s.io/kubernetes/plugin/pkg/admission/scheduling/podgroupprotection"
)

// The plugins that Kubernetes 1.36 added.
var (
	podGroupProtection = admissionPlugin{podgroupprotection.PluginName, podgroupprotection.Register, false}
	podGroupExists     = admissionPlugin{"PodGroupWorkloadExists", registerPodGroupExists, false}
	jobValidation      = admissionPlugin{"JobValidation", registerJobValidation, false}
	podResize          = admissionPlugin{podresize.PluginName, podresize.Register, false}
)

// Kubernetes 1.37 does not have the packages of these two plugins. An import of them, even behind a build tag, would make go mod
// tidy fail in each module that requires kubestep.

//go:linkname registerPodGroupExists k8s.io/kubernetes/plugin/pkg/admission/podgroup.Register
func registerPodGroupExists(*admission.Plugins)

//go:linkname registerJobValidation k8s.io/kubernetes/plugin/pkg/admission/job.Register
func registerJobValidation(*admission.Plugins)
