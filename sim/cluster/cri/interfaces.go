//go:build !kubernetes_before_1_37

package cri

import (
	"context"

	internalapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// What the kubelets of the versions with one ask for, and no others.
var (
	_ internalapi.RuntimeService      = Connection{}
	_ internalapi.ImageManagerService = checkedImages{}
)

// Images is the runtime as ImageManagerService.
func (c Connection) Images() internalapi.ImageManagerService {
	return checkedImages{images{c.Runtime}, c.check}
}

// CheckpointPod implements RuntimeService.
func (r *Runtime) CheckpointPod(context.Context, *runtimeapi.CheckpointPodRequest) error {
	return errNoStream
}

// RestorePod implements RuntimeService.
func (r *Runtime) RestorePod(context.Context, *runtimeapi.RestorePodRequest) (*runtimeapi.RestorePodResponse, error) {
	return nil, errNoStream
}
