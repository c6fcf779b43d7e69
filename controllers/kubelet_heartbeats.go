//go:build linux

package controllers

import (
	"context"
	"sync/atomic"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	typedcoordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"

	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// renewals says whether kubelets renew their leases. In a long run, nobody may look at them (LooksAtLeases): then a kubelet believes that
// it has renewed its lease, as the stand-in of the kubelets does (package node). With the first watch of somebody who looks, they begin
// again at the times that they would have had.
type renewals struct{ leftOut atomic.Bool }

// leftOutRenewals is the message of the record that says so.
const leftOutRenewals = "renewals of the leases of nodes are left out until somebody watches leases"

// leaveOutRenewals leaves out renewals until somebody looks at them.
func (c *Processes) leaveOutRenewals(looks func(*network.Stream) bool) {
	r, of := c.kubelets.renewals, coordinationv1.Resource("leases").String()
	if looks == nil {
		return
	}
	r.leftOut.Store(true)
	c.sim.OnWatch(func(stream *network.Stream) {
		if stream.Resource == of && looks(stream) {
			r.leftOut.Store(false)
		}
	})
	c.sim.Observer.Log(KubeletName, trace.Log{Message: leftOutRenewals}, nil)
}

type heartbeatClient struct {
	kubernetes.Interface
	process  *process
	renewals *renewals
}

// CoordinationV1 implements kubernetes.Interface.
func (h heartbeatClient) CoordinationV1() typedcoordinationv1.CoordinationV1Interface {
	return heartbeatGroup{h.Interface.CoordinationV1(), h}
}

type heartbeatGroup struct {
	typedcoordinationv1.CoordinationV1Interface
	client heartbeatClient
}

// Leases implements typedcoordinationv1.CoordinationV1Interface.
func (g heartbeatGroup) Leases(namespace string) typedcoordinationv1.LeaseInterface {
	return leases{g.CoordinationV1Interface.Leases(namespace), g.client.process, g.client.renewals}
}

type leases struct {
	typedcoordinationv1.LeaseInterface
	process  *process
	renewals *renewals
}

// Update implements typedcoordinationv1.LeaseInterface.
func (l leases) Update(
	ctx context.Context, lease *coordinationv1.Lease, options metav1.UpdateOptions,
) (*coordinationv1.Lease, error) {
	l.process.leave()
	if l.renewals.leftOut.Load() {
		return lease, nil
	}
	return l.LeaseInterface.Update(ctx, lease, options)
}
