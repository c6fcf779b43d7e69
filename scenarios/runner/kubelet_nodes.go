package runner

import (
	"slices"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/cluster/plugins"
	"github.com/kubestep/kubestep/sim/cluster/plugins/csi"
	"github.com/kubestep/kubestep/sim/cluster/plugins/dra"
)

// staticPods are those with which a node begins; nil if its kubelet looks for none, since no step writes one either.
func staticPods(s *format.Scenario, n format.Node) ([]controllers.StaticPod, error) {
	if n.StaticPods == "" && !slices.ContainsFunc(s.Spec.Steps, func(step format.Step) bool {
		writer, ok := step.Verb.(verb.ManifestWriter)
		return ok && writer.WritesManifests() == n.Name
	}) {
		return nil, nil
	}
	manifests, err := manifest.Read(s.Kinds(), s.File, "spec.cluster.nodes", n.StaticPods)
	if err != nil && n.StaticPods != "" {
		return nil, err
	}
	out := []controllers.StaticPod{}
	for _, m := range manifests {
		out = append(out, controllers.StaticPod{Pod: m.Unstructured.GetName(), Text: string(m.Raw)})
	}
	return out, nil
}

// pluginFields are the fields of a scenario with plugins of kubelets.
func pluginFields(s *format.Scenario) (fields []string) {
	if len(s.Spec.Cluster.CSIDrivers) > 0 {
		fields = append(fields, "spec.cluster.csiDrivers")
	}
	if len(s.Spec.Cluster.DRADrivers) > 0 {
		fields = append(fields, "spec.cluster.draDrivers")
	}
	for i, pool := range s.Spec.Cluster.Nodes {
		if len(pool.Devices) > 0 {
			fields = append(fields, source.Item("spec.cluster.nodes", i)+".devices")
		}
	}
	return fields
}

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
