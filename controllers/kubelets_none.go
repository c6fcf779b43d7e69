//go:build !linux

package controllers

import (
	"context"
	"net"

	"github.com/kubestep/kubestep/sim/cluster/node"
)

// RunsKubelets reports whether this program runs upstream's kubelet.
func RunsKubelets() bool { return false }

// RunsPlugins reports whether the kubelets of this program have plugins.
func RunsPlugins() bool { return false }

func (c *Processes) addKubelets(options Options) ([]string, error) {
	if options.Kubelets != nil {
		return nil, ErrNoKubelet
	}
	return nil, nil
}

// kubelets are those of a simulation: none.
type kubelets struct{}

// NodeFaults are those of nodes with upstream's kubelet, of which there are none.
type NodeFaults struct{ *node.Kubelets }

// NodeFaults returns none.
func (c *Processes) NodeFaults(func() int64) (faults NodeFaults, ok bool) { return NodeFaults{}, false }

// IsCutOff reports that no node of such kubelets is cut off.
func (c *Processes) IsCutOff(string) bool { return false }

// ServeAt does nothing: no kubelet means that nothing connects.
func (c *Processes) ServeAt(string, func(context.Context) (net.Conn, error)) {}

// Connect fails: nothing runs in a Pod.
func (c *Processes) Connect(context.Context, string) (net.Conn, error) { return nil, ErrNoKubelet }

// KubeletServer returns the server of the kubelet of a node, of which there is none.
func (c *Processes) KubeletServer(string) (found KubeletServer, ok bool) {
	return KubeletServer{}, false
}

// UnusedPrograms returns none.
func (c *Processes) UnusedPrograms() (indexes []int, images []string) { return nil, nil }
