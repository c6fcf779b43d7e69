//go:build linux && !kubernetes_before_1_37

package controllers

import (
	"context"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/mount-utils"

	"github.com/kubestep/kubestep/controllers/kubelet"
	"github.com/kubestep/kubestep/sim/cluster/plugins"
	"github.com/kubestep/kubestep/sim/cluster/plugins/csi"
	"github.com/kubestep/kubestep/sim/cluster/plugins/device"
	"github.com/kubestep/kubestep/sim/cluster/plugins/dra"
)

// nodePlugins are the plugins of the kubelet of a node, which run beside it: they continue when it crashes.
type nodePlugins struct {
	sockets *plugins.Sockets
	calls   *plugins.Calls
	mounts  *mount.FakeMounter
	// devices are the device plugins, by resource.
	devices map[string]*device.Plugin
}

// RunsPlugins reports whether the kubelets of this program have plugins.
func RunsPlugins() bool { return RunsKubelets() }

// pluginActor is the actor of the plugins of a node.
func pluginActor(node string) string { return "plugins@" + node }

// addPlugins starts the plugins of a node.
func (c *Processes) addPlugins(k *kubelets, node KubeletNode) {
	if len(k.options.CSIDrivers) == 0 && len(k.options.DRADrivers) == 0 && len(node.Devices) == 0 {
		return
	}
	actor := pluginActor(node.Name)
	k.servers[actor] = node.Name
	n := &nodePlugins{
		sockets: &plugins.Sockets{
			Go:      func(f func()) { c.sim.Go(actor, func(context.Context) { f() }) },
			Context: c.sim.Context(),
		},
		calls: &plugins.Calls{
			Seed: c.sim.Seed, Server: node.Name, Notice: plugins.Recorded(c.sim.Recorder, KubeletActor(node.Name)),
		},
		mounts: mount.NewFakeMounter(nil), devices: map[string]*device.Plugin{},
	}
	k.plugins[node.Name] = n
	c.addVolumes(k, n, node.Name)
	for _, resource := range slices.Sorted(maps.Keys(node.Devices)) {
		n.devices[resource] = device.New(resource, node.Devices[resource])
		n.devices[resource].Serve(n.sockets)
	}
	for _, driver := range k.options.DRADrivers {
		driver.Serve(n.sockets, dra.Node{Calls: n.calls, Claim: k.claim})
	}
}

// withPlugins lets a kubelet find the plugins of its node, and reports whether there are any.
func (k *kubelets) withPlugins(node KubeletNode, made *kubelet.Options) bool {
	plugins := k.plugins[node.Name]
	if plugins == nil {
		return false
	}
	made.Plugins, made.CSI, made.Mounts = plugins.sockets.Registry(), k.csi, plugins.mounts
	made.Devices = len(node.Devices) > 0 || len(k.options.DRADrivers) > 0
	return true
}

// addVolumes starts the drivers for volumes on a node.
func (c *Processes) addVolumes(k *kubelets, n *nodePlugins, node string) {
	if len(k.options.CSIDrivers) == 0 {
		return
	}
	if k.csi == nil {
		k.csi = kubelet.NewCSI(k.caller)
		c.sim.OnEnd(k.csi.End)
	}
	runtime := k.runtimes[node]
	for _, driver := range k.options.CSIDrivers {
		driver.Serve(n.sockets, csi.Node{
			Name: node, Calls: n.calls, Mounts: n.mounts, VolumeOf: k.volumeOf,
			Bind: func(target, driver, volume string) {
				runtime.Bind(target, k.on(volumesFolder, filepath.Join(driver, volume)))
			},
			Unbind: runtime.Unbind,
		})
	}
}

// volumesFolder holds the content of the volumes of all drivers, beside the folders of the nodes. No node has such a name.
const volumesFolder = ".volumes"

// volumeOf is the name of the PersistentVolume of a driver.
func (k *kubelets) volumeOf(driver, handle string) string {
	for _, object := range k.sim.State.List(corev1.Resource("persistentvolumes"), "") {
		if source := object.(*corev1.PersistentVolume).Spec.CSI; source != nil && source.Driver == driver && source.VolumeHandle == handle {
			return object.(*corev1.PersistentVolume).Name
		}
	}
	return ""
}

// claim returns a ResourceClaim; nil if there is none.
func (k *kubelets) claim(namespace, name string) *resourcev1.ResourceClaim {
	object, found := k.sim.State.Get(resourcev1.Resource("resourceclaims"), namespace, name)
	if !found {
		return nil
	}
	return object.(*resourcev1.ResourceClaim).DeepCopy()
}

// SetHealthy makes so many of the devices of a resource on nodes healthy, and the others unhealthy. It may not be called on the engine's
// goroutine.
func (f NodeFaults) SetHealthy(resource string, count int, names ...string) {
	for _, name := range names {
		if plugins := f.control.kubelets.plugins[name]; plugins != nil && plugins.devices[resource] != nil {
			f.control.sim.Engine.Call("devices|"+name+"|"+resource, func() { plugins.devices[resource].SetHealthy(count) })
		}
	}
}

// dialPlugin connects a kubelet to a plugin of its node.
func (k *kubelets) dialPlugin(ctx context.Context, path string) (net.Conn, error) {
	plugins := k.plugins[k.caller()]
	if plugins == nil {
		return nil, &net.OpError{Op: "dial", Net: "unix", Addr: &net.UnixAddr{Name: path, Net: "unix"}, Err: syscall.ENOENT}
	}
	return plugins.sockets.Dial(ctx, path)
}

// hold gives a kubelet what is its own of upstream's plugin for CSI volumes, after each response of the server.
func (k *kubelets) hold() {
	if k.csi != nil {
		k.csi.Hold()
	}
}

// powerOff ends what is mounted on a node that loses power.
func (k *kubelets) powerOff(node string) {
	if plugins := k.plugins[node]; plugins != nil {
		plugins.mounts.MountPoints = nil
	}
}
