//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"context"
	"time"
	"unsafe"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/kubernetes/pkg/kubelet/pluginmanager/cache"
	"k8s.io/kubernetes/pkg/volume"
	"k8s.io/kubernetes/pkg/volume/csi"
	"k8s.io/kubernetes/pkg/volume/csi/nodeinfomanager"
)

// Upstream's plugin for CSI volumes expects that its process is one kubelet, and keeps what belongs to the node in variables of the
// package. Here, kubelets share them, and kube-controller-manager's attach-detach controller sets them, too.
//
//   - nodeInfo writes the CSINode of its node. It is replaced by one that asks that of the calling kubelet.
//   - updater looks for changes of CSIDrivers. Each kubelet has its own, which is put there when the kubelet may ask for it.
//   - drivers are those that are registered, with their sockets, which have the same names on all nodes: a kubelet that registers a
//     driver must not find that of another one, and finds the driver as soon as one kubelet of the simulation has registered it.
//
//go:linkname nodeInfo k8s.io/kubernetes/pkg/volume/csi.nim
var nodeInfo nodeinfomanager.Interface

//go:linkname updater k8s.io/kubernetes/pkg/volume/csi.csiNodeUpdaterVar
var updater unsafe.Pointer

//go:linkname drivers k8s.io/kubernetes/pkg/volume/csi.csiDrivers
var drivers *csi.DriversStore

// CSI is what upstream's plugins for CSI volumes of all kubelets of a simulation share.
type CSI struct {
	// caller is the node whose kubelet calls.
	caller   func() string
	infos    map[string]nodeinfomanager.Interface
	updaters map[string]unsafe.Pointer
}

// NewCSI returns what the kubelets of a simulation share.
func NewCSI(caller func() string) *CSI {
	drivers.Clear()
	return &CSI{caller: caller, infos: map[string]nodeinfomanager.Interface{}, updaters: map[string]unsafe.Pointer{}}
}

// End lets upstream's plugin forget the kubelets.
func (c *CSI) End() { updater = nil }

// Hold puts what belongs to the calling kubelet where upstream's plugin looks for it. Each response to a kubelet calls it, since the plugin
// looks right after one.
func (c *CSI) Hold() {
	if node := c.caller(); c.infos[node] != nil {
		nodeInfo, updater = nodeInfos{c}, c.updaters[node]
	}
}

// csiVolumes has the interfaces of upstream's plugin.
type csiVolumes interface {
	volume.AttachableVolumePlugin
	volume.BlockVolumePlugin
	volume.NodeExpandableVolumePlugin
	VerifyExhaustedResource(spec *volume.Spec) bool
}

// csiPlugin is upstream's plugin in one kubelet.
type csiPlugin struct {
	csiVolumes
	csi  *CSI
	node string
}

// plugins are upstream's plugin for the kubelet of a node.
func (c *CSI) plugins(node string) (all []volume.VolumePlugin) {
	for _, plugin := range csi.ProbeVolumePlugins() {
		all = append(all, csiPlugin{plugin.(csiVolumes), c, node})
	}
	return all
}

// Init implements volume.VolumePlugin.
func (p csiPlugin) Init(host volume.VolumeHost) error {
	updater = nil
	err := p.csiVolumes.Init(host)
	p.csi.infos[p.node], p.csi.updaters[p.node] = nodeInfo, updater
	p.csi.Hold()
	return err
}

// csiHandler registers CSI drivers at one kubelet.
type csiHandler struct {
	cache.PluginHandler
	csi *CSI
}

// ValidatePlugin implements cache.PluginHandler.
func (h *csiHandler) ValidatePlugin(ctx context.Context, name, endpoint string, versions []string) error {
	defer h.aside(name)()
	return h.PluginHandler.ValidatePlugin(ctx, name, endpoint, versions)
}

// RegisterPlugin implements cache.PluginHandler.
func (h *csiHandler) RegisterPlugin(ctx context.Context, name, endpoint string, versions []string, timeout *time.Duration) error {
	restore := h.aside(name)
	h.csi.Hold()
	err := h.PluginHandler.RegisterPlugin(ctx, name, endpoint, versions, timeout)
	if err != nil {
		restore()
	}
	return err
}

// aside hides what other kubelets have registered of a driver until restore is called.
func (h *csiHandler) aside(name string) (restore func()) {
	driver, found := drivers.Get(name)
	drivers.Delete(name)
	return func() {
		if found {
			drivers.Set(name, driver)
		}
	}
}

// nodeInfos asks what writes the CSINode of the calling kubelet's node.
type nodeInfos struct{ csi *CSI }

func (n nodeInfos) own() nodeinfomanager.Interface { return n.csi.infos[n.csi.caller()] }

// CreateCSINode implements nodeinfomanager.Interface.
func (n nodeInfos) CreateCSINode() (*storagev1.CSINode, error) { return n.own().CreateCSINode() }

// InitializeCSINodeWithAnnotation implements nodeinfomanager.Interface.
func (n nodeInfos) InitializeCSINodeWithAnnotation() error {
	return n.own().InitializeCSINodeWithAnnotation()
}

// InstallCSIDriver implements nodeinfomanager.Interface.
func (n nodeInfos) InstallCSIDriver(driver, id string, limit int64, topology map[string]string) error {
	return n.own().InstallCSIDriver(driver, id, limit, topology)
}

// UpdateCSIDriver implements nodeinfomanager.Interface.
func (n nodeInfos) UpdateCSIDriver(driver, id string, limit int64, topology map[string]string) error {
	return n.own().UpdateCSIDriver(driver, id, limit, topology)
}

// UninstallCSIDriver implements nodeinfomanager.Interface.
func (n nodeInfos) UninstallCSIDriver(driver string) error { return n.own().UninstallCSIDriver(driver) }

// UpdateCSINodeStorageHealth implements nodeinfomanager.Interface.
func (n nodeInfos) UpdateCSINodeStorageHealth(driver string, conditions []storagev1.StorageHealthCondition) error {
	return n.own().UpdateCSINodeStorageHealth(driver, conditions)
}
