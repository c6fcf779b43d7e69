//go:build linux && !kubernetes_before_1_37

// Package device is a device plugin as data: it has some devices of a resource on a node, of which some are healthy, and allocates them to
// containers.
package device

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	devicev1beta1 "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
	registrationv1 "k8s.io/kubelet/pkg/apis/pluginregistration/v1"

	"github.com/kubestep/kubestep/sim/cluster/plugins"
)

// Plugin is the device plugin of a resource on one node.
type Plugin struct {
	devicev1beta1.UnimplementedDevicePluginServer
	resource string

	mu      sync.Mutex
	count   int
	healthy int
	// changed is closed when a device becomes healthy or unhealthy.
	changed chan struct{}
}

// New returns a device plugin with healthy devices. They have the name of the resource, without its domain, and a number: gpu-0.
func New(resource string, count int) *Plugin {
	return &Plugin{resource: resource, count: count, healthy: count, changed: make(chan struct{})}
}

// Serve starts the plugin, which registers at the kubelet of its node.
func (p *Plugin) Serve(sockets *plugins.Sockets) {
	sockets.Register(&registrationv1.PluginInfo{
		Type: registrationv1.DevicePlugin, Name: p.resource, SupportedVersions: []string{devicev1beta1.Version},
	}, func(server grpc.ServiceRegistrar) { devicev1beta1.RegisterDevicePluginServer(server, p) })
}

// SetHealthy makes the first devices healthy, and the others unhealthy.
func (p *Plugin) SetHealthy(count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.healthy = min(count, p.count)
	close(p.changed)
	p.changed = make(chan struct{})
}

// devices are those of the plugin, and what is closed when they change.
func (p *Plugin) devices() (devices []*devicev1beta1.Device, changed chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, base, _ := strings.Cut(p.resource, "/")
	for i := range p.count {
		d := &devicev1beta1.Device{ID: base + "-" + strconv.Itoa(i), Health: devicev1beta1.Healthy}
		if i >= p.healthy {
			d.Health = devicev1beta1.Unhealthy
		}
		devices = append(devices, d)
	}
	return devices, p.changed
}

// GetDevicePluginOptions implements devicev1beta1.DevicePluginServer.
func (p *Plugin) GetDevicePluginOptions(context.Context, *devicev1beta1.Empty) (*devicev1beta1.DevicePluginOptions, error) {
	return &devicev1beta1.DevicePluginOptions{}, nil
}

// ListAndWatch implements devicev1beta1.DevicePluginServer.
func (p *Plugin) ListAndWatch(
	_ *devicev1beta1.Empty, stream grpc.ServerStreamingServer[devicev1beta1.ListAndWatchResponse],
) error {
	for {
		devices, changed := p.devices()
		if err := stream.Send(&devicev1beta1.ListAndWatchResponse{Devices: devices}); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-stream.Context().Done():
			return nil
		}
	}
}

// Allocate implements devicev1beta1.DevicePluginServer.
func (p *Plugin) Allocate(_ context.Context, r *devicev1beta1.AllocateRequest) (*devicev1beta1.AllocateResponse, error) {
	devices, _ := p.devices()
	health := map[string]string{}
	for _, d := range devices {
		health[d.GetID()] = d.GetHealth()
	}
	response := &devicev1beta1.AllocateResponse{}
	for _, of := range r.GetContainerRequests() {
		for _, id := range of.GetDevicesIds() {
			if health[id] != devicev1beta1.Healthy {
				return nil, status.Errorf(codes.FailedPrecondition, "device %s is unhealthy", id)
			}
		}
		response.ContainerResponses = append(response.ContainerResponses, &devicev1beta1.ContainerAllocateResponse{})
	}
	return response, nil
}
