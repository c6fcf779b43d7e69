//go:build linux && !kubernetes_before_1_37

package csi

import (
	"context"
	"errors"
	"os"
	"strings"

	csispec "github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	registrationv1 "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	"k8s.io/mount-utils"

	"github.com/kubestep/kubestep/sim/cluster/plugins"
	"github.com/kubestep/kubestep/sim/trace"
)

// Node is what a driver needs of a node.
type Node struct {
	Name string
	// Calls are those of all plugins of the node.
	Calls *plugins.Calls
	// Mounts are the mounts of the node.
	Mounts mount.Interface
	// Bind makes containers find the content of a volume of a driver where it is mounted; Unbind ends that.
	Bind   func(target, driver, volume string)
	Unbind func(target string)
	// VolumeOf is the name of the PersistentVolume with a volumeHandle of a driver; empty if it is not known.
	VolumeOf func(driver, handle string) string
}

// Serve starts the node service of a driver, which registers at the kubelet of its node.
func (d Driver) Serve(sockets *plugins.Sockets, node Node) {
	sockets.Register(&registrationv1.PluginInfo{
		Type: registrationv1.CSIPlugin, Name: d.Name, SupportedVersions: []string{"1.12.0"},
	}, func(server grpc.ServiceRegistrar) {
		csispec.RegisterNodeServer(server, &nodeService{driver: d, node: node})
	})
}

// nodeService is the node service of a driver on one node. A volume is a folder, which is mounted at its staging path and at its target
// paths.
type nodeService struct {
	csispec.UnimplementedNodeServer
	driver Driver
	node   Node
}

// NodeGetInfo implements csispec.NodeServer.
func (s *nodeService) NodeGetInfo(context.Context, *csispec.NodeGetInfoRequest) (*csispec.NodeGetInfoResponse, error) {
	return &csispec.NodeGetInfoResponse{NodeId: s.node.Name, MaxVolumesPerNode: int64(s.driver.MaxVolumesPerNode)}, nil
}

// NodeGetCapabilities implements csispec.NodeServer. With VOLUME_MOUNT_GROUP, the driver and not the kubelet gives files to the fsGroup of
// a Pod, which only an administrator of the machine could do.
func (s *nodeService) NodeGetCapabilities(
	context.Context, *csispec.NodeGetCapabilitiesRequest,
) (*csispec.NodeGetCapabilitiesResponse, error) {
	response := &csispec.NodeGetCapabilitiesResponse{}
	for _, kind := range []csispec.NodeServiceCapability_RPC_Type{
		csispec.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME, csispec.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER,
		csispec.NodeServiceCapability_RPC_VOLUME_MOUNT_GROUP,
	} {
		response.Capabilities = append(response.Capabilities, &csispec.NodeServiceCapability{
			Type: &csispec.NodeServiceCapability_Rpc{Rpc: &csispec.NodeServiceCapability_RPC{Type: kind}},
		})
	}
	return response, nil
}

// call makes a call that is about a volume, and perhaps about a Pod, whose uid is in the target path.
func (s *nodeService) call(ctx context.Context, method string, call plugins.Call, volume, target string) error {
	what := trace.Call{Plugin: s.driver.Name, Method: method, Object: trace.Object{Resource: "persistentvolumes", Name: volume}}
	if name := s.node.VolumeOf(s.driver.Name, volume); name != "" {
		what.Name = name
	}
	if _, rest, ok := strings.Cut(target, "/pods/"); ok {
		what.UID, _, _ = strings.Cut(rest, "/")
	}
	err := s.node.Calls.Do(ctx, call, what)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return status.FromContextError(err).Err()
	}
	return status.Error(codes.Internal, err.Error())
}

// NodeStageVolume implements csispec.NodeServer.
func (s *nodeService) NodeStageVolume(
	ctx context.Context, r *csispec.NodeStageVolumeRequest,
) (*csispec.NodeStageVolumeResponse, error) {
	volume, target := r.GetVolumeId(), r.GetStagingTargetPath()
	if err := s.call(ctx, "NodeStageVolume", s.driver.NodeStageVolume, volume, target); err != nil {
		return nil, err
	}
	return &csispec.NodeStageVolumeResponse{}, s.mount(device(volume), target)
}

// NodeUnstageVolume implements csispec.NodeServer.
func (s *nodeService) NodeUnstageVolume(
	ctx context.Context, r *csispec.NodeUnstageVolumeRequest,
) (*csispec.NodeUnstageVolumeResponse, error) {
	volume, target := r.GetVolumeId(), r.GetStagingTargetPath()
	if err := s.call(ctx, "NodeUnstageVolume", s.driver.NodeUnstageVolume, volume, target); err != nil {
		return nil, err
	}
	return &csispec.NodeUnstageVolumeResponse{}, s.node.Mounts.Unmount(target)
}

// NodePublishVolume implements csispec.NodeServer.
func (s *nodeService) NodePublishVolume(
	ctx context.Context, r *csispec.NodePublishVolumeRequest,
) (*csispec.NodePublishVolumeResponse, error) {
	volume, target := r.GetVolumeId(), r.GetTargetPath()
	if err := s.call(ctx, "NodePublishVolume", s.driver.NodePublishVolume, volume, target); err != nil {
		return nil, err
	}
	if err := s.mount(device(volume), target); err != nil {
		return nil, err
	}
	s.node.Bind(target, s.driver.Name, volume)
	return &csispec.NodePublishVolumeResponse{}, nil
}

// NodeUnpublishVolume implements csispec.NodeServer. The specification wants the target path to be gone then.
func (s *nodeService) NodeUnpublishVolume(
	ctx context.Context, r *csispec.NodeUnpublishVolumeRequest,
) (*csispec.NodeUnpublishVolumeResponse, error) {
	volume, target := r.GetVolumeId(), r.GetTargetPath()
	if err := s.call(ctx, "NodeUnpublishVolume", s.driver.NodeUnpublishVolume, volume, target); err != nil {
		return nil, err
	}
	s.node.Unbind(target)
	if err := s.node.Mounts.Unmount(target); err != nil {
		return nil, err
	}
	if err := os.Remove(target); err != nil && !os.IsNotExist(err) {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &csispec.NodeUnpublishVolumeResponse{}, nil
}

// mount mounts a volume at a folder of the node, unless it is mounted there.
func (s *nodeService) mount(device, target string) error {
	if err := os.MkdirAll(target, 0o750); err != nil {
		return status.Error(codes.Internal, err.Error())
	}
	if mounted, err := s.node.Mounts.IsMountPoint(target); err == nil && mounted {
		return nil
	}
	return s.node.Mounts.Mount(device, target, "ext4", nil)
}

// device is the device of a volume on a node.
func device(volume string) string { return "/dev/disk/by-id/" + volume }
