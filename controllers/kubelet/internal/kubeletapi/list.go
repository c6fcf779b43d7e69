//go:build linux && kubernetes_before_1_36 && !kubernetes_before_1_35

package kubeletapi

import (
	"unsafe"

	"k8s.io/klog/v2"
)

//go:linkname listConfig k8s.io/kubernetes/pkg/kubelet/config.(*sourceFile).listConfig
func listConfig(source unsafe.Pointer, logger klog.Logger) error
