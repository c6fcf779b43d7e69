//go:build linux && kubernetes_before_1_37

package kubelet

import (
	"context"

	"k8s.io/client-go/tools/record"
	kubeletupstream "k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/volume"
)

// CSI is what the kubelets of a simulation share for volumes of CSI drivers, of which there are none.
type CSI struct{}

// Hold does nothing.
func (*CSI) Hold() {}

func (*CSI) plugins(string) []volume.VolumePlugin { return nil }

// containerManager is that of a kubelet, which has no device plugins.
func (o Options) containerManager(_ context.Context, without withoutCgroups) (cm.ContainerManager, error) {
	return without, nil
}

// addPlugins does nothing.
func addPlugins(*kubeletupstream.Kubelet, record.EventRecorder, Options) {}
