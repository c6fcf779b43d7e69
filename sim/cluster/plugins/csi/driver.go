// Package csi is a CSI driver (Container Storage Interface) as data. Its node service runs beside the kubelet of each node, and is called
// by upstream's plugin for volumes; Start plays the sidecar with which a driver attaches volumes, kubernetes-csi/external-attacher. Package
// provisioner creates its volumes.
package csi

import (
	"github.com/kubestep/kubestep/sim/cluster/plugins"
)

// Driver is a CSI driver. Its calls have the names of the specification.
type Driver struct {
	// Name is that of its CSIDriver, and of the provisioner of its StorageClasses.
	Name string
	// MaxVolumesPerNode is how many volumes a node can have; 0 means that there is no limit.
	MaxVolumesPerNode int

	CreateVolume, DeleteVolume                         plugins.Call
	ControllerPublishVolume, ControllerUnpublishVolume plugins.Call
	NodeStageVolume, NodeUnstageVolume                 plugins.Call
	NodePublishVolume, NodeUnpublishVolume             plugins.Call
}
