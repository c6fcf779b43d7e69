//go:build linux

package controllers

import (
	"context"
	"net"
	"net/http"
	"slices"

	"github.com/kubestep/kubestep/controllers/kubelet"
	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/engine/activity"
)

// runningKubelet is a kubelet, and the process that runs it.
type runningKubelet struct {
	process *process
	kubelet *kubelet.Kubelet
}

// ServeAt makes clients in the bubble that connect to an address reach a server in the bubble. It must be called when the simulation
// begins.
func (c *Processes) ServeAt(address string, dial func(context.Context) (net.Conn, error)) {
	if c.kubelets != nil {
		c.kubelets.fronts[address] = dial
	}
}

// Connect connects a part of the control plane to an address of the cluster, as a proxy does.
func (c *Processes) Connect(ctx context.Context, address string) (net.Conn, error) {
	return c.kubelets.network.Connect(ctx, cri.Source{}, address)
}

// KubeletServer returns the server of the kubelet of a node. ok is false if none listens there.
func (c *Processes) KubeletServer(node string) (found KubeletServer, ok bool) {
	if c.kubelets == nil {
		return KubeletServer{}, false
	}
	c.mu.Lock()
	running := c.kubelets.running[node]
	c.mu.Unlock()
	if running.process == nil || running.process.dead.Load() {
		return KubeletServer{}, false
	}
	answer := func(r *http.Request) *kubelet.Answer {
		own := c.sim.Activities.Current()
		c.sim.Activities.Enter(&activity.Activity{Actor: serverOf + running.process.actor(KubeletName), Aside: true})
		defer func() {
			if own == nil {
				c.sim.Activities.Leave()
				return
			}
			c.sim.Activities.Enter(own)
		}()
		return running.kubelet.Answer(r)
	}
	return KubeletServer{Answer: answer, Runtime: c.kubelets.runtimes[node]}, true
}

// UnusedPrograms are the indexes of the programs that ran on no node, and the images of all nodes.
func (c *Processes) UnusedPrograms() (indexes []int, images []string) {
	if c.kubelets == nil {
		return nil, nil
	}
	for n := range c.kubelets.options.Programs {
		indexes = append(indexes, n)
	}
	for _, r := range c.kubelets.runtimes {
		unused := r.Unused()
		indexes = slices.DeleteFunc(indexes, func(n int) bool { return !slices.Contains(unused, n) })
		images = append(images, r.Pulled()...)
	}
	slices.Sort(images)
	return indexes, slices.Compact(images)
}
