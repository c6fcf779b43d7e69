package format

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// CSIDriver is a CSI driver as data. Its calls have the names of the CSI specification.
type CSIDriver struct {
	Name                      string      `yaml:"name" required:"true" example:"disk.example.com" doc:"Name of the driver, in its CSIDriver and as the provisioner of StorageClasses."`
	MaxVolumesPerNode         int         `yaml:"maxVolumesPerNode,omitempty" min:"1" example:"3" doc:"How many volumes a node can have, which the scheduler counts. Default: there is no limit."`
	CreateVolume              *PluginCall `yaml:"createVolume,omitempty" example:"{takes: 2s}" doc:"Create a volume, for a claim of a StorageClass whose provisioner is the driver. Default: at once."`
	DeleteVolume              *PluginCall `yaml:"deleteVolume,omitempty" example:"{takes: 2s}" doc:"Delete a volume that was created so. Default: at once."`
	ControllerPublishVolume   *PluginCall `yaml:"controllerPublishVolume,omitempty" example:"{takes: 2s}" doc:"Attach a volume to a node. Default: at once."`
	ControllerUnpublishVolume *PluginCall `yaml:"controllerUnpublishVolume,omitempty" example:"{takes: 2s}" doc:"Detach a volume from a node. Default: at once."`
	NodeStageVolume           *PluginCall `yaml:"nodeStageVolume,omitempty" example:"{takes: 1s, fails: bad superblock, times: 2}" doc:"Mount a volume on its node, for all Pods there. Default: at once."`
	NodeUnstageVolume         *PluginCall `yaml:"nodeUnstageVolume,omitempty" example:"{takes: 1s}" doc:"Unmount a volume from its node. Default: at once."`
	NodePublishVolume         *PluginCall `yaml:"nodePublishVolume,omitempty" example:"{takes: 1s}" doc:"Mount a volume for one Pod. Default: at once."`
	NodeUnpublishVolume       *PluginCall `yaml:"nodeUnpublishVolume,omitempty" example:"{takes: 1s, fails: target is busy, times: 2}" doc:"Unmount a volume for one Pod. Default: at once."`
}

// DRADriver is a driver for dynamic resource allocation as data. Its calls have the names of the kubelet's API.
type DRADriver struct {
	Name                   string      `yaml:"name" required:"true" example:"gpu.example.com" doc:"Name of the driver, as in ResourceSlices and DeviceClasses."`
	NodePrepareResources   *PluginCall `yaml:"nodePrepareResources,omitempty" example:"{takes: 2s, fails: device is busy, times: 2}" doc:"Prepare a claim, before the first Pod that uses it starts. Default: at once."`
	NodeUnprepareResources *PluginCall `yaml:"nodeUnprepareResources,omitempty" example:"{takes: 1s}" doc:"Unprepare a claim, when the last Pod that uses it has ended. Default: at once."`
}

// PluginCall is how the calls of one method of a plugin go.
type PluginCall struct {
	Takes *notation.Delay `yaml:"takes,omitempty" example:"2s" doc:"How long a call takes: a duration or a range. Default 0s."`
	Fails string          `yaml:"fails,omitempty" example:"disk not found" doc:"The error of a call that fails. Default: none fails."`
	Times int             `yaml:"times,omitempty" needs:"fails" min:"1" example:"3" doc:"How many calls fail, on each node if it is a call of a kubelet. Default: all."`
}

// plugins checks the plugins of kubelets.
func (v *validator) plugins() {
	c := v.scenario.Spec.Cluster
	csi, dra := make([]string, len(c.CSIDrivers)), make([]string, len(c.DRADrivers))
	for i, d := range c.CSIDrivers {
		csi[i] = d.Name
		for _, name := range slices.Sorted(maps.Keys(d.Calls())) {
			v.pluginCall(source.Item("spec.cluster.csiDrivers", i)+"."+name, d.Calls()[name])
		}
	}
	for i, d := range c.DRADrivers {
		dra[i] = d.Name
		at := source.Item("spec.cluster.draDrivers", i)
		v.pluginCall(at+".nodePrepareResources", d.NodePrepareResources)
		v.pluginCall(at+".nodeUnprepareResources", d.NodeUnprepareResources)
	}
	v.drivers("spec.cluster.csiDrivers", csi)
	v.drivers("spec.cluster.draDrivers", dra)
	for i, pool := range c.Nodes {
		at := source.Item("spec.cluster.nodes", i) + ".devices"
		if len(pool.Devices) > 0 && cmp.Or(pool.Kubelet, v.scenario.Spec.Kubernetes.Kubelet) != UpstreamKubelet {
			v.fail(at, "kubelet: "+UpstreamKubelet, "devices are allocated by upstream's kubelet, which does not run here")
		}
		for _, resource := range slices.Sorted(maps.Keys(pool.Devices)) {
			v.device(at, resource, pool.Devices[resource])
		}
	}
}

// drivers checks the names of drivers, and that there is a kubelet that calls them.
func (v *validator) drivers(at string, names []string) {
	if len(names) > 0 && !v.scenario.RunsKubelets() {
		v.fail(at, "kubernetes: {kubelet: "+UpstreamKubelet+"}", "drivers are called by upstream's kubelet, which does not run here")
	}
	for i, name := range names {
		at := source.Item(at, i) + ".name"
		if name != "" && (len(name) > driverNameMax || validation.IsDNS1123Subdomain(strings.ToLower(name)) != nil) {
			v.fail(at, "disk.example.com", "%q is not the name of a driver (a DNS name of at most %d characters)", name, driverNameMax)
		}
		if name != "" && slices.Index(names, name) < i {
			v.fail(at, "another name", "duplicate driver %q", name)
		}
	}
}

// driverNameMax is the longest name of a CSI driver, and of a driver for dynamic resource allocation.
const driverNameMax = 63

// devicesMax bounds the devices of a node.
const devicesMax = 1000

// device checks the devices of a resource.
func (v *validator) device(at, resource string, count int) {
	domain, _, ok := strings.Cut(resource, "/")
	if !ok || strings.HasSuffix(domain, "kubernetes.io") || validation.IsQualifiedName(resource) != nil {
		v.fail(at, "example.com/gpu", "%q is not the name of an extended resource (a domain, a slash and a name)", resource)
	}
	if count < 1 || count > devicesMax {
		v.fail(at, resource+": 4", "%d is not a number of devices (1 to %d)", count, devicesMax)
	}
}

// Calls are the calls of a driver, by their fields.
func (d CSIDriver) Calls() map[string]*PluginCall {
	return map[string]*PluginCall{
		"createVolume": d.CreateVolume, "deleteVolume": d.DeleteVolume,
		"controllerPublishVolume": d.ControllerPublishVolume, "controllerUnpublishVolume": d.ControllerUnpublishVolume,
		"nodeStageVolume": d.NodeStageVolume, "nodeUnstageVolume": d.NodeUnstageVolume,
		"nodePublishVolume": d.NodePublishVolume, "nodeUnpublishVolume": d.NodeUnpublishVolume,
	}
}

// pluginCall checks a call.
func (v *validator) pluginCall(at string, call *PluginCall) {
	if call != nil {
		v.notNever(at+".takes", call.Takes, "a duration, or fails: not found", "a call that never ends fails after some time")
	}
}
