package podnetwork

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"syscall"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// Node is a node with Pods.
type Node struct {
	Name, Address string
	Runtime       *cri.Runtime
}

// Network connects Pods.
type Network struct {
	sim   *sim.Simulation
	nodes []Node

	mu sync.Mutex
	// connections counts those of a client to a port of a Service, and kept are the endpoints of clients with session affinity.
	connections map[client]int
	kept        map[client]affinity
}

// New returns the network of a simulation. It has no nodes.
func New(s *sim.Simulation) *Network {
	return &Network{sim: s, connections: map[client]int{}, kept: map[client]affinity{}}
}

// Add adds a node. It must be called before the first connection.
func (n *Network) Add(node Node) { n.nodes = append(n.nodes, node) }

// Runtime is that of the Pod with an address; nil if there is none.
func (n *Network) Runtime(address string) *cri.Runtime {
	for _, node := range n.nodes {
		if node.Runtime.Has(address) {
			return node.Runtime
		}
	}
	return nil
}

// Connect connects a Pod to an address of the cluster, HOST:PORT. Without a Pod, a part of the control plane connects, which is on no node.
// The error is a *net.DNSError for a name that nothing has, and a *net.OpError for all that refuses the connection.
func (n *Network) Connect(ctx context.Context, from cri.Source, address string) (net.Conn, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, err
	}
	addresses := []string{host}
	if _, err := netip.ParseAddr(host); err != nil {
		if addresses, err = n.Lookup(from, host); err != nil {
			return nil, err
		}
	}
	conn, err := n.reach(ctx, from, addresses[0], int32(port))
	if err != nil && ctx.Err() == nil {
		err = &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}
	return conn, err
}

// reach connects a Pod to a port of an address: its own, that of a Pod, or one of a Service.
func (n *Network) reach(ctx context.Context, from cri.Source, address string, port int32) (net.Conn, error) {
	if ip, err := netip.ParseAddr(address); from.Runtime != nil && (err == nil && ip.IsLoopback() || address == from.Address) {
		return from.Itself(ctx, port)
	}
	if containers := n.Runtime(address); containers != nil {
		return containers.ConnectFrom(ctx, from.Address, address, port)
	}
	chosen, err := n.route(ctx, from, address, port)
	if err != nil {
		return nil, err
	}
	containers := n.Runtime(chosen.Addr().String())
	if containers == nil {
		return nil, syscall.EHOSTUNREACH
	}
	return containers.ConnectFrom(ctx, from.Address, chosen.Addr().String(), int32(chosen.Port()))
}

// node is the object of a node; an empty one for what is on no node.
func (n *Network) node(name string) *corev1.Node {
	if object, found := n.sim.State.Get(corev1.Resource("nodes"), "", name); found && name != "" {
		return object.(*corev1.Node)
	}
	node := &corev1.Node{}
	node.Name = name
	return node
}
