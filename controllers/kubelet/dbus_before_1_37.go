//go:build linux && kubernetes_before_1_37

package kubelet

import (
	"context"
	"errors"
	"sync"
	"time"
	_ "unsafe" // for linkname

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/nodeshutdown/systemd"
)

// inhibitor is what upstream's manager of shutdowns calls: its interface dbusInhibiter, which it does not export. It has the same methods,
// and no others, so that a value of one is a value of the other.
type inhibitor interface {
	CurrentInhibitDelay() (time.Duration, error)
	InhibitShutdown() (systemd.InhibitLock, error)
	ReleaseInhibitLock(lock systemd.InhibitLock) error
	ReloadLogindConf() error
	MonitorShutdown(logger klog.Logger) (<-chan bool, error)
	OverrideInhibitDelay(delay time.Duration) error
}

// systemDBus connects the calling kubelet. Upstream expects that its process is one kubelet.
//
//go:linkname systemDBus k8s.io/kubernetes/pkg/kubelet/nodeshutdown.systemDbus
var systemDBus func() (inhibitor, error)

// connections connect the kubelets of a simulation, by node.
var connections sync.Map

// addLogind makes a kubelet use logind. It must be called before the kubelet runs. A kubelet whose configuration has no grace period for a
// shutdown does not ask for one.
func addLogind(ctx context.Context, _ *kubelet.Kubelet, o Options) {
	connections.Store(o.Node, func() *bus { return o.Logind.connect(ctx) })
	context.AfterFunc(ctx, func() { connections.Delete(o.Node) })
	systemDBus = func() (inhibitor, error) {
		connect, found := connections.Load(o.Caller())
		if !found {
			return nil, errors.New("the kubelet has crashed")
		}
		return connect.(func() *bus)(), nil
	}
}
