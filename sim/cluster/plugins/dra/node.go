//go:build linux && !kubernetes_before_1_37

package dra

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	resourcev1 "k8s.io/api/resource/v1"
	drav1 "k8s.io/kubelet/pkg/apis/dra/v1"
	registrationv1 "k8s.io/kubelet/pkg/apis/pluginregistration/v1"

	"github.com/kubestep/kubestep/sim/cluster/plugins"
	"github.com/kubestep/kubestep/sim/trace"
)

// Node is what a driver needs of a node.
type Node struct {
	// Calls are those of all plugins of the node.
	Calls *plugins.Calls
	// Claim returns a ResourceClaim; nil if there is none.
	Claim func(namespace, name string) *resourcev1.ResourceClaim
}

// Serve starts a driver on a node, where it registers at the kubelet.
func (d Driver) Serve(sockets *plugins.Sockets, node Node) {
	sockets.Register(&registrationv1.PluginInfo{
		Type: registrationv1.DRAPlugin, Name: d.Name, SupportedVersions: []string{drav1.DRAPluginService},
	}, func(server grpc.ServiceRegistrar) {
		drav1.RegisterDRAPluginServer(server, &nodeService{driver: d, node: node})
	})
}

// nodeService is a driver on one node.
type nodeService struct {
	drav1.UnimplementedDRAPluginServer
	driver Driver
	node   Node
}

// call makes a call that is about a claim.
func (s *nodeService) call(ctx context.Context, method string, call plugins.Call, claim *drav1.Claim) error {
	return s.node.Calls.Do(ctx, call, trace.Call{
		Object: trace.Object{Resource: "resourceclaims.resource.k8s.io", Namespace: claim.GetNamespace(), Name: claim.GetName()},
		Plugin: s.driver.Name, Method: method,
	})
}

// NodePrepareResources implements drav1.DRAPluginServer.
func (s *nodeService) NodePrepareResources(
	ctx context.Context, r *drav1.NodePrepareResourcesRequest,
) (*drav1.NodePrepareResourcesResponse, error) {
	response := &drav1.NodePrepareResourcesResponse{Claims: map[string]*drav1.NodePrepareResourceResponse{}}
	for _, claim := range r.GetClaims() {
		of := &drav1.NodePrepareResourceResponse{}
		response.Claims[claim.GetUid()] = of
		if err := s.call(ctx, "NodePrepareResources", s.driver.NodePrepareResources, claim); err != nil {
			if ctx.Err() != nil {
				return nil, status.FromContextError(ctx.Err()).Err()
			}
			of.Error = err.Error()
			continue
		}
		of.Devices = s.devices(claim)
	}
	return response, nil
}

// devices are those that are allocated to a claim.
func (s *nodeService) devices(claim *drav1.Claim) (devices []*drav1.Device) {
	object := s.node.Claim(claim.GetNamespace(), claim.GetName())
	if object == nil || string(object.UID) != claim.GetUid() || object.Status.Allocation == nil {
		return nil
	}
	for _, result := range object.Status.Allocation.Devices.Results {
		if result.Driver == s.driver.Name {
			devices = append(devices, &drav1.Device{
				RequestNames: []string{result.Request}, PoolName: result.Pool, DeviceName: result.Device,
				CdiDeviceIds: []string{s.driver.Name + "/device=" + result.Device},
			})
		}
	}
	return devices
}

// NodeUnprepareResources implements drav1.DRAPluginServer.
func (s *nodeService) NodeUnprepareResources(
	ctx context.Context, r *drav1.NodeUnprepareResourcesRequest,
) (*drav1.NodeUnprepareResourcesResponse, error) {
	response := &drav1.NodeUnprepareResourcesResponse{Claims: map[string]*drav1.NodeUnprepareResourceResponse{}}
	for _, claim := range r.GetClaims() {
		of := &drav1.NodeUnprepareResourceResponse{}
		response.Claims[claim.GetUid()] = of
		if err := s.call(ctx, "NodeUnprepareResources", s.driver.NodeUnprepareResources, claim); err != nil {
			if ctx.Err() != nil {
				return nil, status.FromContextError(ctx.Err()).Err()
			}
			of.Error = err.Error()
		}
	}
	return response, nil
}
