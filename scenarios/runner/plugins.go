package runner

import (
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/cluster/plugins"
	"github.com/kubestep/kubestep/sim/cluster/plugins/csi"
	"github.com/kubestep/kubestep/sim/cluster/plugins/dra"
)

// csiDrivers are the CSI drivers of a scenario.
func csiDrivers(s *format.Scenario) (drivers []csi.Driver) {
	for _, d := range s.Spec.Cluster.CSIDrivers {
		drivers = append(drivers, csi.Driver{
			Name: d.Name, MaxVolumesPerNode: d.MaxVolumesPerNode,
			CreateVolume: callOf(d.CreateVolume), DeleteVolume: callOf(d.DeleteVolume),
			ControllerPublishVolume: callOf(d.ControllerPublishVolume), ControllerUnpublishVolume: callOf(d.ControllerUnpublishVolume),
			NodeStageVolume: callOf(d.NodeStageVolume), NodeUnstageVolume: callOf(d.NodeUnstageVolume),
			NodePublishVolume: callOf(d.NodePublishVolume), NodeUnpublishVolume: callOf(d.NodeUnpublishVolume),
		})
	}
	return drivers
}

// draDrivers are the drivers for dynamic resource allocation of a scenario.
func draDrivers(s *format.Scenario) (drivers []dra.Driver) {
	for _, d := range s.Spec.Cluster.DRADrivers {
		drivers = append(drivers, dra.Driver{
			Name: d.Name, NodePrepareResources: callOf(d.NodePrepareResources), NodeUnprepareResources: callOf(d.NodeUnprepareResources),
		})
	}
	return drivers
}

// callOf is a call of the scenario for a plugin.
func callOf(c *format.PluginCall) (call plugins.Call) {
	if c == nil {
		return call
	}
	call.Fails, call.Times = c.Fails, c.Times
	if c.Takes != nil {
		call.Takes = spanOf(*c.Takes)
	}
	return call
}
