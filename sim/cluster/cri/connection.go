package cri

import (
	"context"

	internalapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// What a kubelet asks for.
var (
	_ internalapi.RuntimeService      = Connection{}
	_ internalapi.ImageManagerService = checkedImages{}
)

// Images is the runtime as ImageManagerService.
func (c Connection) Images() internalapi.ImageManagerService {
	return checkedImages{images{c.Runtime}, c.check}
}

// Connection is the runtime as one kubelet calls it. A kubelet that starts again finds the containers of the one before.
type Connection struct {
	*Runtime
	check func()
	asked func()
}

// For returns a connection whose periodic calls, those that look at all there is, call check first: it may end the calling goroutine.
// asked runs whenever the kubelet asks whether the runtime is ready.
func (r *Runtime) For(check, asked func()) Connection { return Connection{r, check, asked} }

// Check calls check.
func (c Connection) Check() { c.check() }

// Status implements RuntimeService.
func (c Connection) Status(ctx context.Context, verbose bool) (*runtimeapi.StatusResponse, error) {
	c.check()
	c.asked()
	return c.Runtime.Status(ctx, verbose)
}

// ListPodSandbox implements RuntimeService.
func (c Connection) ListPodSandbox(ctx context.Context, filter *runtimeapi.PodSandboxFilter) ([]*runtimeapi.PodSandbox, error) {
	c.check()
	return c.Runtime.ListPodSandbox(ctx, filter)
}

// ListContainers implements RuntimeService.
func (c Connection) ListContainers(ctx context.Context, filter *runtimeapi.ContainerFilter) ([]*runtimeapi.Container, error) {
	c.check()
	return c.Runtime.ListContainers(ctx, filter)
}

// ListContainerStats implements RuntimeService.
func (c Connection) ListContainerStats(
	ctx context.Context, filter *runtimeapi.ContainerStatsFilter,
) ([]*runtimeapi.ContainerStats, error) {
	c.check()
	return c.Runtime.ListContainerStats(ctx, filter)
}

type checkedImages struct {
	images
	check func()
}

// ListImages implements ImageManagerService.
func (i checkedImages) ListImages(ctx context.Context, filter *runtimeapi.ImageFilter) ([]*runtimeapi.Image, error) {
	i.check()
	return i.images.ListImages(ctx, filter)
}
