//go:build linux && !kubernetes_before_1_36

package kubeletapi

import (
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// The options of streams to containers and to ports of Pods.
type (
	ExecOptions    = remotecommand.Options
	ForwardOptions = portforward.V4Options
)
