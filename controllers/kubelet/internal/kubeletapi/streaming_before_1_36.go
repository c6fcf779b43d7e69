//go:build linux && kubernetes_before_1_36

package kubeletapi

import (
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
	"k8s.io/kubelet/pkg/cri/streaming/remotecommand"
)

// The options of streams to containers and to ports of Pods.
type (
	ExecOptions    = remotecommand.Options
	ForwardOptions = portforward.V4Options
)
