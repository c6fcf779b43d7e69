// Package dra is a driver for dynamic resource allocation as data: it prepares the devices of ResourceClaims on a node.
package dra

import (
	"github.com/kubestep/kubestep/sim/cluster/plugins"
)

// Driver is a driver for dynamic resource allocation. Its calls have the names of the kubelet's API.
type Driver struct {
	// Name is that in ResourceSlices and DeviceClasses.
	Name string

	NodePrepareResources, NodeUnprepareResources plugins.Call
}
