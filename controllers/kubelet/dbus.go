//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"context"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/nodeshutdown"
	"k8s.io/kubernetes/pkg/kubelet/nodeshutdown/systemd"

	"github.com/kubestep/kubestep/sim/process/unexported"
)

// inhibitor is what upstream's manager of shutdowns calls: its interface dbusInhibiter, which it does not export.
type inhibitor interface {
	CurrentInhibitDelay() (time.Duration, error)
	InhibitShutdown() (systemd.InhibitLock, error)
	ReleaseInhibitLock(lock systemd.InhibitLock) error
	ReloadLogindConf() error
	MonitorShutdown(logger klog.Logger) (<-chan bool, error)
	OverrideInhibitDelay(delay time.Duration) error
	Close() error
}

// addLogind makes a kubelet use logind. It must be called before the kubelet runs. A kubelet whose configuration has no grace period for a
// shutdown does not ask for one.
func addLogind(ctx context.Context, k *kubelet.Kubelet, o Options) {
	manager := *unexported.Field[nodeshutdown.Manager](k, "shutdownManager")
	unexported.Replace(manager, "newDBusConn", func() (any, error) { return inhibitor(o.Logind.connect(ctx)), nil })
}
