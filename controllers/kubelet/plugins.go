//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"context"
	"time"

	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	registrationv1 "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	kubeletupstream "k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/config"
	"k8s.io/kubernetes/pkg/kubelet/pluginmanager"
	"k8s.io/kubernetes/pkg/kubelet/pluginmanager/cache"
	"k8s.io/kubernetes/pkg/kubelet/pluginmanager/operationexecutor"
	"k8s.io/kubernetes/pkg/kubelet/pluginmanager/reconciler"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/process/unexported"
)

// pluginPeriod is upstream's loopSleepDuration: how often the manager of plugins looks for those that are not registered
// (pkg/kubelet/pluginmanager/plugin_manager.go).
const pluginPeriod = time.Second

// registersAfter is how long after its start a kubelet finds its plugins. On a machine, it has read its CSINode by then, since the start
// takes processor time: a driver that registers before makes upstream's kubelet delete the CSINode, as that of another node with this
// name.
const registersAfter = 100 * time.Millisecond

// plugins is upstream's manager of plugins without the watcher of files (inotify), over which no virtual time passes: the sockets of the
// node's plugins are there when the kubelet starts. What finds out that a plugin is not registered, asks it and registers it is upstream's.
type plugins struct {
	desired    cache.DesiredStateOfWorld
	reconciler reconciler.Reconciler
	sockets    []string
	csi        *CSI
}

var _ pluginmanager.PluginManager = (*plugins)(nil)

// addPlugins makes a kubelet register the plugins that listen at sockets. It must be called before the kubelet runs.
func addPlugins(k *kubeletupstream.Kubelet, recorder record.EventRecorder, o Options) {
	desired := cache.NewDesiredStateOfWorld()
	executor := operationexecutor.NewOperationExecutor(operationexecutor.NewOperationGenerator(recorder))
	*unexported.Field[pluginmanager.PluginManager](k, "pluginManager") = &plugins{
		desired: desired, sockets: o.Plugins, csi: o.CSI,
		reconciler: reconciler.NewReconciler(executor, pluginPeriod, desired, cache.NewActualStateOfWorld()),
	}
}

// AddHandler implements pluginmanager.PluginManager.
func (p *plugins) AddHandler(kind string, handler cache.PluginHandler) {
	if kind == registrationv1.CSIPlugin && p.csi != nil {
		handler = &csiHandler{handler, p.csi}
	}
	p.reconciler.AddHandler(kind, handler)
}

// Run implements pluginmanager.PluginManager.
func (p *plugins) Run(ctx context.Context, _ config.SourcesReady, _ <-chan struct{}) {
	if !engine.Sleep(ctx, registersAfter) {
		return
	}
	for _, socket := range p.sockets {
		if err := p.desired.AddOrUpdatePlugin(ctx, socket); err != nil {
			klog.FromContext(ctx).Error(err, "A plugin cannot be registered", "socket", socket)
		}
	}
	p.reconciler.Run(ctx)
}
