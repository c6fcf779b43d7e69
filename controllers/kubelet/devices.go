//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/server/healthz"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	internalapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/klog/v2"
	registrationv1 "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	"k8s.io/kubernetes/pkg/features"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/cm/containermap"
	"k8s.io/kubernetes/pkg/kubelet/cm/devicemanager"
	devicev1beta1 "k8s.io/kubernetes/pkg/kubelet/cm/devicemanager/plugin/v1beta1"
	"k8s.io/kubernetes/pkg/kubelet/cm/dra"
	"k8s.io/kubernetes/pkg/kubelet/cm/resourceupdates"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/config"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/kubelet/pluginmanager/cache"
	"k8s.io/kubernetes/pkg/kubelet/status"
	schedulerframework "k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/kubestep/kubestep/sim/process/unexported"
)

// withDevices is a container manager without cgroups, with upstream's managers of devices, put together as upstream's own container manager
// does (pkg/kubelet/cm/container_manager_linux.go).
type withDevices struct {
	withoutCgroups
	topology topologymanager.Manager
	devices  *devicemanager.ManagerImpl
	dra      *dra.Manager
	updates  chan resourceupdates.Update
}

var _ cm.ContainerManager = (*withDevices)(nil)

// containerManager is that of a kubelet.
func (o Options) containerManager(ctx context.Context, without withoutCgroups) (cm.ContainerManager, error) {
	if !o.Devices {
		return without, nil
	}
	return newWithDevices(ctx, without, o.Client)
}

// newWithDevices adds the managers of devices to a container manager.
func newWithDevices(ctx context.Context, without withoutCgroups, client kubernetes.Interface) (*withDevices, error) {
	logger := klog.FromContext(ctx)
	c := &withDevices{withoutCgroups: without, updates: make(chan resourceupdates.Update, 10)}
	var err error
	c.topology, err = topologymanager.NewManager(
		logger, nil, kubeletconfig.NoneTopologyManagerPolicy, kubeletconfig.ContainerTopologyManagerScope, nil)
	if err != nil {
		return nil, err
	}
	if c.devices, err = devicemanager.NewManagerImpl(logger, nil, c.topology); err != nil {
		return nil, err
	}
	server := unexported.Field[devicev1beta1.Server](c.devices, "server")
	*server = deaf{*server}
	c.topology.AddHintProvider(logger, c.devices)
	if c.dra, err = dra.NewManager(logger, client, root); err != nil {
		return nil, err
	}
	for _, updates := range []<-chan resourceupdates.Update{c.devices.Updates(), c.dra.Updates()} {
		go c.forward(ctx, updates)
	}
	return c, nil
}

// forward passes on which Pods have devices whose health changes.
func (c *withDevices) forward(ctx context.Context, updates <-chan resourceupdates.Update) {
	for {
		select {
		case update := <-updates:
			c.updates <- update
		case <-ctx.Done():
			return
		}
	}
}

// deaf is the server at which device plugins register. It listens nowhere: a plugin registers as others do, at a socket of its own.
type deaf struct{ devicev1beta1.Server }

// Start implements devicev1beta1.Server.
func (deaf) Start(klog.Logger) error { return nil }

// Start implements cm.ContainerManager.
func (c *withDevices) Start(
	ctx context.Context, node *corev1.Node, active cm.ActivePodsFunc, getNode cm.GetNodeFunc, sources config.SourcesReady,
	statuses status.PodStatusProvider, runtime internalapi.RuntimeService, isolation bool,
) error {
	if err := c.withoutCgroups.Start(ctx, node, active, getNode, sources, statuses, runtime, isolation); err != nil {
		return err
	}
	containers, running, err := known(ctx, runtime)
	if err != nil {
		return err
	}
	if err := c.dra.Start(ctx, dra.ActivePodsFunc(active), dra.GetNodeFunc(getNode), sources); err != nil {
		return err
	}
	return c.devices.Start(klog.FromContext(ctx), devicemanager.ActivePodsFunc(active), sources, containers, running)
}

// known are the containers that the runtime has when the kubelet starts, and which of them run.
func known(ctx context.Context, runtime internalapi.RuntimeService) (containermap.ContainerMap, sets.Set[string], error) {
	pods, running, all := map[string]string{}, sets.New[string](), containermap.NewContainerMap()
	sandboxes, err := runtime.ListPodSandbox(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range sandboxes {
		pods[s.GetId()] = s.GetMetadata().GetUid()
	}
	containers, err := runtime.ListContainers(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range containers {
		if pod, ok := pods[c.GetPodSandboxId()]; ok {
			all.Add(pod, c.GetMetadata().GetName(), c.GetId())
			if c.GetState() == runtimeapi.ContainerState_CONTAINER_RUNNING {
				running.Insert(c.GetId())
			}
		}
	}
	return all, running, nil
}

// GetPluginRegistrationHandlers implements cm.ContainerManager.
func (c *withDevices) GetPluginRegistrationHandlers() map[string]cache.PluginHandler {
	return map[string]cache.PluginHandler{
		registrationv1.DevicePlugin: c.devices.GetWatcherHandler(), registrationv1.DRAPlugin: c.dra.GetWatcherHandler(),
	}
}

// GetHealthCheckers implements cm.ContainerManager.
func (c *withDevices) GetHealthCheckers() []healthz.HealthChecker {
	return []healthz.HealthChecker{c.devices.GetHealthChecker()}
}

// GetResources implements cm.ContainerManager.
func (c *withDevices) GetResources(
	ctx context.Context, pod *corev1.Pod, container *corev1.Container,
) (*kubecontainer.RunContainerOptions, error) {
	claimed, err := c.dra.GetResources(pod, container)
	if err != nil {
		return nil, err
	}
	options := &kubecontainer.RunContainerOptions{CDIDevices: claimed.CDIDevices}
	allocated, err := c.devices.GetDeviceRunContainerOptions(ctx, pod, container)
	if err != nil || allocated == nil {
		return options, err
	}
	options.Devices, options.Mounts, options.Envs = allocated.Devices, allocated.Mounts, allocated.Envs
	options.Annotations = allocated.Annotations
	options.CDIDevices = append(options.CDIDevices, allocated.CDIDevices...)
	return options, nil
}

// UpdatePluginResources implements cm.ContainerManager.
func (c *withDevices) UpdatePluginResources(node *schedulerframework.NodeInfo, attributes *lifecycle.PodAdmitAttributes) error {
	return c.devices.UpdatePluginResources(node, attributes)
}

// GetAllocateResourcesPodAdmitHandler implements cm.ContainerManager.
func (c *withDevices) GetAllocateResourcesPodAdmitHandler(klog.Logger) lifecycle.PodAdmitHandler {
	return c.topology
}

// GetDevicePluginResourceCapacity implements cm.ContainerManager.
func (c *withDevices) GetDevicePluginResourceCapacity(logger klog.Logger) (capacity, allocatable corev1.ResourceList, gone []string) {
	return c.devices.GetCapacity(logger)
}

// ShouldResetExtendedResourceCapacity implements cm.ContainerManager.
func (c *withDevices) ShouldResetExtendedResourceCapacity() bool {
	return c.devices.ShouldResetExtendedResourceCapacity()
}

// UpdateAllocatedDevices implements cm.ContainerManager.
func (c *withDevices) UpdateAllocatedDevices(logger klog.Logger) {
	c.devices.UpdateAllocatedDevices(logger)
}

// PrepareDynamicResources implements cm.ContainerManager.
func (c *withDevices) PrepareDynamicResources(ctx context.Context, pod *corev1.Pod) error {
	return c.dra.PrepareResources(ctx, pod)
}

// UnprepareDynamicResources implements cm.ContainerManager.
func (c *withDevices) UnprepareDynamicResources(ctx context.Context, pod *corev1.Pod) error {
	return c.dra.UnprepareResources(ctx, pod)
}

// PodMightNeedToUnprepareResources implements cm.ContainerManager.
func (c *withDevices) PodMightNeedToUnprepareResources(uid types.UID) bool {
	return c.dra.PodMightNeedToUnprepareResources(uid)
}

// UpdateAllocatedResourcesStatus implements cm.ContainerManager.
func (c *withDevices) UpdateAllocatedResourcesStatus(logger klog.Logger, pod *corev1.Pod, status *corev1.PodStatus) {
	c.devices.UpdateAllocatedResourcesStatus(logger, pod, status)
	if utilfeature.DefaultFeatureGate.Enabled(features.ResourceHealthStatus) {
		c.dra.UpdateAllocatedResourcesStatus(logger, pod, status)
	}
}

// Updates implements cm.ContainerManager.
func (c *withDevices) Updates() <-chan resourceupdates.Update { return c.updates }
