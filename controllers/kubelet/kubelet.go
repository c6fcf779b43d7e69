//go:build linux

package kubelet

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"slices"

	nooptrace "go.opentelemetry.io/otel/trace/noop"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/util"
	"k8s.io/kubernetes/pkg/util/oom"
	"k8s.io/kubernetes/pkg/volume/util/hostutil"
	"k8s.io/mount-utils"

	"github.com/kubestep/kubestep/controllers/kubelet/internal/kubeletapi"
	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// component is what a kubelet calls itself in its Events.
const component = "kubelet"

// Options are what a kubelet needs.
type Options struct {
	// Node is the name of its node, and Address the node's address.
	Node, Address string
	// Labels and Taints are those with which it registers the node.
	Labels map[string]string
	Taints []corev1.Taint
	// CPUs, and Memory and Disk in bytes, are the capacity of the machine. Disk 0 is DiskSize.
	CPUs         int
	Memory, Disk uint64
	// Config is its configuration; nil for upstream's defaults.
	Config *Configuration
	// Client is for everything but heartbeats and Events, which have no limit of their own.
	Client, HeartbeatClient, EventClient kubernetes.Interface
	// Runtime runs its containers.
	Runtime cri.Connection
	// Logind is that of the node.
	Logind *Logind
	// Manifests is the folder with the manifests of static Pods; nil if the kubelet looks for none.
	Manifests *Manifests
	// Plugins are the sockets at which plugins of the node register; nil for none.
	Plugins []string
	// Caller is the node whose kubelet calls, for what the kubelets of a process share.
	Caller func() string
	// Devices means that plugins have devices: they allocate them, or prepare them for claims.
	Devices bool
	// CSI is for the volumes of CSI drivers, and Mounts are what is mounted on the node; nil without such drivers.
	CSI    *CSI
	Mounts mount.Interface
	// Reject is asked before the kubelet admits a Pod. It returns the reason with which the kubelet rejects the Pod; none if it does not.
	Reject func(*corev1.Pod) (reason, message string)
	// Restless makes the loops of the kubelet run while it has nothing to do, as upstream's do.
	Restless bool
}

// Kubelet is a kubelet in a simulation.
type Kubelet struct {
	upstream *kubelet.Kubelet
	with     *kubelet.Dependencies
	config   *Configuration
	events   record.EventBroadcaster
	// server is nil until somebody asks it.
	server http.Handler
}

// New builds a kubelet. Its goroutines end with ctx.
func New(ctx context.Context, o Options) (*Kubelet, error) {
	config := o.Config
	if config == nil {
		var err error
		if config, err = Defaults(); err != nil {
			return nil, err
		}
	}
	config = config.DeepCopy()
	o.Disk = cmp.Or(o.Disk, DiskSize)
	kept, allocatable, err := reserved(config, corev1.ResourceList{
		corev1.ResourceCPU:              *resource.NewQuantity(int64(o.CPUs), resource.DecimalSI),
		corev1.ResourceMemory:           *resource.NewQuantity(int64(o.Memory), resource.BinarySI),
		corev1.ResourceEphemeralStorage: *resource.NewQuantity(int64(o.Disk), resource.BinarySI),
	})
	if err != nil {
		return nil, err
	}
	out := &Kubelet{config: config, events: record.NewBroadcaster(record.WithContext(ctx))}
	out.events.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: o.EventClient.CoreV1().Events("")})
	out.with = &kubelet.Dependencies{
		KubeClient: o.Client, HeartbeatClient: o.HeartbeatClient, EventClient: o.EventClient.CoreV1(),
		RemoteRuntimeService: o.Runtime, RemoteImageService: o.Runtime.Images(),
		CAdvisorInterface: newHardware(machine{node: o.Node, cpus: o.CPUs, memory: o.Memory, disk: o.Disk, runtime: o.Runtime}),
		OSInterface:       container.RealOS{},
		VolumePlugins:     o.volumePlugins(),
		OOMAdjuster:       oom.NewFakeOOMAdjuster(),
		Mounter:           o.Mounts, Subpather: &subpaths{},
		HostUtil:                  &hostFiles{FakeHostUtil: hostutil.NewFakeHostUtil(nil)},
		PodStartupLatencyTracker:  util.NewPodStartupLatencyTracker(),
		NodeStartupLatencyTracker: kubeletapi.NewStartupTracker(ctx),
		TracerProvider:            nooptrace.NewTracerProvider(),
		Recorder:                  out.events.NewRecorder(legacyscheme.Scheme, corev1.EventSource{Component: component, Host: o.Node}),
	}
	without := withoutCgroups{cm.NewStubContainerManager(), kept, allocatable, o.Disk}
	if out.with.ContainerManager, err = o.manager(ctx, without); err != nil {
		return nil, err
	}
	if o.Mounts == nil {
		out.with.Mounter = mount.NewFakeMounter(nil)
	}
	address := net.ParseIP(o.Address)
	if address == nil {
		return nil, fmt.Errorf("node %s: %q is no address", o.Node, o.Address)
	}
	server, err := options.NewKubeletServer()
	if err != nil {
		return nil, err
	}
	flags := server.KubeletFlags
	out.upstream, err = kubelet.NewMainKubelet(ctx, config, out.with, &flags.ContainerRuntimeOptions, o.Node, types.NodeName(o.Node),
		[]net.IP{address}, "", "", filepath.Join(root, "pki"), root, config.PodLogsDir, "", "", true,
		slices.Concat(o.Taints, config.RegisterWithTaints), nil, "", false, false,
		flags.MinimumGCAge, flags.MaxPerPodContainerCount, flags.MaxContainerCount, o.Labels, config.NodeStatusMaxImages, false)
	if err != nil {
		return nil, fmt.Errorf("kubelet of %s: %w", o.Node, err)
	}
	if o.Manifests != nil {
		addStaticPods(ctx, out.with, o.Node, config, o.Manifests)
	}
	if len(periods(config)) > 0 {
		addLogind(ctx, out.upstream, o)
	}
	if o.Plugins != nil {
		addPlugins(out.upstream, out.with.Recorder, o)
	}
	if !o.Restless {
		addRest(ctx, out.upstream, o.Runtime)
	}
	return out, nil
}

// manager is the container manager of a kubelet, which rejects Pods if faults say so.
func (o Options) manager(ctx context.Context, without withoutCgroups) (cm.ContainerManager, error) {
	manager, err := o.containerManager(ctx, without)
	if err != nil || o.Reject == nil {
		return manager, err
	}
	return rejecting{manager, o.Reject}, nil
}

// Run runs the kubelet until ctx ends.
func (k *Kubelet) Run(ctx context.Context) {
	defer k.events.Shutdown()
	k.upstream.BirthCry()
	kubeletapi.StartGarbageCollection(ctx, k.upstream)
	kubeletapi.Run(ctx, k.upstream, k.with.PodConfig.Updates())
}
