//go:build linux && kubernetes_before_1_37

package controllers

import (
	"context"
	"net"
	"syscall"

	"github.com/kubestep/kubestep/controllers/kubelet"
)

// RunsPlugins reports whether the kubelets of this program have plugins: those of earlier versions have none.
func RunsPlugins() bool { return false }

// nodePlugins are the plugins of the kubelet of a node, of which there are none.
type nodePlugins struct{}

func (c *Processes) addPlugins(*kubelets, KubeletNode) {}

func (k *kubelets) withPlugins(KubeletNode, *kubelet.Options) bool { return false }

// SetHealthy does nothing: no node has a device plugin.
func (f NodeFaults) SetHealthy(string, int, ...string) {}

func (k *kubelets) dialPlugin(_ context.Context, path string) (net.Conn, error) {
	return nil, &net.OpError{Op: "dial", Net: "unix", Addr: &net.UnixAddr{Name: path, Net: "unix"}, Err: syscall.ENOENT}
}

func (k *kubelets) hold() {}

func (k *kubelets) powerOff(string) {}
