package podnetwork

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strconv"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/controllers/kubeproxy"
	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/engine"
)

var endpointSlices = schema.GroupResource{Group: discoveryv1.GroupName, Resource: "endpointslices"}

// connectTimeout is for how long Linux tries to connect: six repetitions after 1, 3, 7, 15, 31 and 63 seconds (tcp_syn_retries).
const connectTimeout = 127 * time.Second

// client is a Pod that connects to a port of a Service; the address is empty for the control plane.
type client struct {
	service types.UID
	port    string
	address string
}

// affinity is the endpoint that a client keeps, and when it last connected.
type affinity struct {
	endpoint string
	last     time.Duration
}

// route is the endpoint of a connection to an address that is no Pod's. The error is what the client sees: that nothing has the address,
// that the node refuses the connection, or that it drops it, which takes until the client gives up.
func (n *Network) route(ctx context.Context, from cri.Source, address string, port int32) (chosen netip.AddrPort, err error) {
	at := slices.IndexFunc(n.nodes, func(node Node) bool { return node.Address == address })
	decides := from.Node
	if at >= 0 {
		decides = n.nodes[at].Name
	}
	for _, object := range n.sim.State.List(corev1.Resource("services"), "") {
		service := object.(*corev1.Service)
		if !has(service, address, port, at >= 0) {
			continue
		}
		of, route := n.decide(service, n.node(decides), from, to{address, port, at >= 0})
		switch {
		case route == nil:
			continue
		case route.Verdict == kubeproxy.Reject:
			return chosen, syscall.ECONNREFUSED
		case route.Verdict == kubeproxy.Drop:
			engine.Sleep(ctx, connectTimeout)
			return chosen, cmp.Or[error](ctx.Err(), syscall.ETIMEDOUT)
		}
		return netip.ParseAddrPort(n.choose(client{service.UID, of.Name, from.Address}, of, route.Chosen))
	}
	if at >= 0 {
		return chosen, syscall.ECONNREFUSED
	}
	return chosen, syscall.EHOSTUNREACH
}

// has reports whether a port of a Service may be at an address: its own, or that of a node.
func has(service *corev1.Service, address string, port int32, atNode bool) bool {
	own := slices.Contains(service.Spec.ClusterIPs, address) || slices.Contains(service.Spec.ExternalIPs, address) ||
		slices.ContainsFunc(service.Status.LoadBalancer.Ingress, func(i corev1.LoadBalancerIngress) bool { return i.IP == address })
	return slices.ContainsFunc(service.Spec.Ports, func(p corev1.ServicePort) bool {
		return own && p.Port == port || atNode && p.NodePort == port
	})
}

// to is where a connection goes; ofNode means that the address is that of a node.
type to struct {
	address string
	port    int32
	ofNode  bool
}

// decide asks for what the kube-proxy of a node does with a connection over TCP; the route is nil if that is nothing.
func (n *Network) decide(service *corev1.Service, node *corev1.Node, from cri.Source, to to) (*kubeproxy.Port, *kubeproxy.Route) {
	var listed []*discoveryv1.EndpointSlice
	for _, object := range n.sim.State.List(endpointSlices, service.Namespace) {
		listed = append(listed, object.(*discoveryv1.EndpointSlice))
	}
	decision := kubeproxy.NewObjects(service, listed).Decide(node)
	for i := range decision.Ports {
		p := &decision.Ports[i]
		atOwn, atNode := int32(p.Number) == to.port, to.ofNode && int32(p.NodePort) == to.port
		switch {
		case p.Protocol != corev1.ProtocolTCP:
		case p.ClusterIP == to.address && atOwn:
			return p, &p.Internal
		case !(slices.Contains(p.External, to.address) && atOwn || atNode):
		case from.Address != "":
			return p, p.FromPods
		default:
			return p, p.FromOutside
		}
	}
	return nil, nil
}

// choose draws an endpoint of those that the node has chosen. A client of a Service with session affinity keeps its endpoint as long as it
// is among them, until the time after its last connection is over.
func (n *Network) choose(c client, port *kubeproxy.Port, chosen []string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.sim.Engine.Now()
	if port.AffinitySeconds > 0 {
		kept := n.kept[c]
		if slices.Contains(chosen, kept.endpoint) && now-kept.last < time.Duration(port.AffinitySeconds)*time.Second {
			n.kept[c] = affinity{kept.endpoint, now}
			return kept.endpoint
		}
	}
	n.connections[c]++
	key := "endpoint|" + string(c.service) + "|" + c.port + "|" + c.address + "|" + strconv.Itoa(n.connections[c])
	endpoint := chosen[engine.Hash(n.sim.Seed(), key)%uint64(len(chosen))]
	n.kept[c] = affinity{endpoint, now}
	return endpoint
}
