//go:build linux && !kubernetes_before_1_37

package controllers

import (
	"context"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	typedcoordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// Renewals of leases are most of the requests of kubelets: one of each node every ten seconds. So they take the front of the server that
// controllers take, without a wire and its codecs. A renewal changes no set of fields, so the server would have nothing to write to
// metadata.managedFields, which the kubelet sends back as it is.

// heartbeats returns the client with which a kubelet renews its lease: another one, but for renewals.
func (c *Processes) heartbeats(p *process, other kubernetes.Interface) kubernetes.Interface {
	return heartbeatClient{other, apiserver.NewClientset(c.sim.Transport(p.actor(KubeletName)), nil), p}
}

type heartbeatClient struct {
	kubernetes.Interface
	fast    kubernetes.Interface
	process *process
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
	return leases{
		g.CoordinationV1Interface.Leases(namespace), g.client.fast.CoordinationV1().Leases(namespace), g.client.process,
	}
}

type leases struct {
	typedcoordinationv1.LeaseInterface
	fast    typedcoordinationv1.LeaseInterface
	process *process
}

// Update implements typedcoordinationv1.LeaseInterface.
func (l leases) Update(
	ctx context.Context, lease *coordinationv1.Lease, options metav1.UpdateOptions,
) (*coordinationv1.Lease, error) {
	l.process.leave()
	defer l.process.leave()
	return l.fast.Update(ctx, lease, options)
}
