//go:build linux && !kubernetes_before_1_37

package controllers

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/cluster/cri"
	"github.com/kubestep/kubestep/sim/engine"
)

// The network of Pods, for the programs in Go in their containers: each Pod reaches each other by its address, and Services by their
// addresses and their names, as with kube-proxy and the DNS of a cluster. There are no packets: a connection is a pipe.

var endpointSlices = schema.GroupResource{Group: discoveryv1.GroupName, Resource: "endpointslices"}

// domain is that of the cluster's DNS.
const domain = "cluster.local"

// pod returns a Pod; nil if there is none.
func (k *kubelets) pod(namespace, name string) *corev1.Pod {
	object, found := k.sim.State.Get(schema.GroupResource{Resource: "pods"}, namespace, name)
	if !found {
		return nil
	}
	return object.(*corev1.Pod).DeepCopy()
}

// connect connects a Pod to an address of the cluster.
func (k *kubelets) connect(ctx context.Context, from cri.Source, address string) (net.Conn, error) {
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
		if addresses, err = k.lookup(from, host); err != nil {
			return nil, err
		}
	}
	conn, err := k.reach(ctx, from, addresses[0], int32(port))
	if err != nil && ctx.Err() == nil {
		err = &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}
	return conn, err
}

// reach connects a Pod to a port of an address: its own, that of a Pod, or one of a Service.
func (k *kubelets) reach(ctx context.Context, from cri.Source, address string, port int32) (net.Conn, error) {
	if ip, err := netip.ParseAddr(address); from.Runtime != nil && (err == nil && ip.IsLoopback() || address == from.Address) {
		return from.Itself(ctx, port)
	}
	for _, node := range k.options.Nodes {
		if containers := k.runtimes[node.Name]; containers.Has(address) {
			return containers.ConnectFrom(ctx, from.Address, address, port)
		}
	}
	service, servicePort, atNode := k.serviceAt(address, port)
	if service == nil {
		if atNode {
			return nil, syscall.ECONNREFUSED
		}
		return nil, syscall.EHOSTUNREACH
	}
	all := k.endpoints(service, servicePort.Name)
	if len(all) == 0 {
		return nil, syscall.ECONNREFUSED // as kube-proxy refuses what has no endpoint
	}
	chosen := all[k.choose(from, service, len(all))]
	for _, node := range k.options.Nodes {
		if containers := k.runtimes[node.Name]; containers.Has(chosen.address) {
			return containers.ConnectFrom(ctx, from.Address, chosen.address, chosen.port)
		}
	}
	return nil, syscall.EHOSTUNREACH
}

// choose draws the endpoint of a connection, which is always the same one for a client of a Service with session affinity.
func (k *kubelets) choose(from cri.Source, service *corev1.Service, n int) int {
	key := "endpoint|" + string(service.UID) + "|" + from.Address
	if service.Spec.SessionAffinity != corev1.ServiceAffinityClientIP {
		k.mu.Lock()
		k.connections[key]++
		key += "|" + strconv.Itoa(k.connections[key])
		k.mu.Unlock()
	}
	return int(engine.Hash(k.sim.Seed(), key) % uint64(n))
}

// serviceAt finds the Service and its port at an address: its own ones, and those of nodes for a node port. atNode means that the address
// is that of a node.
func (k *kubelets) serviceAt(address string, port int32) (service *corev1.Service, found corev1.ServicePort, atNode bool) {
	for _, node := range k.options.Nodes {
		atNode = atNode || node.Address == address
	}
	for _, object := range k.sim.State.List(schema.GroupResource{Resource: "services"}, "") {
		s := object.(*corev1.Service)
		own := slices.Contains(s.Spec.ClusterIPs, address) || slices.Contains(s.Spec.ExternalIPs, address)
		for _, p := range s.Spec.Ports {
			if own && p.Port == port || atNode && p.NodePort != 0 && p.NodePort == port {
				return s, p, atNode
			}
		}
	}
	return nil, found, atNode
}

// endpointAddress is where a connection to a Service leads.
type endpointAddress struct {
	address string
	port    int32
}

// endpoints are those of a port of a Service that are ready, or those that serve while they terminate if none is: the rule of kube-proxy.
func (k *kubelets) endpoints(service *corev1.Service, port string) []endpointAddress {
	var ready, serving []endpointAddress
	for _, object := range k.sim.State.List(endpointSlices, service.Namespace) {
		slice := object.(*discoveryv1.EndpointSlice)
		if slice.Labels[discoveryv1.LabelServiceName] != service.Name {
			continue
		}
		for _, p := range slice.Ports {
			if p.Port == nil || p.Name != nil && *p.Name != port {
				continue
			}
			for _, e := range slice.Endpoints {
				at := endpointAddress{e.Addresses[0], *p.Port}
				switch c := e.Conditions; {
				case c.Ready == nil || *c.Ready:
					ready = append(ready, at)
				case c.Serving != nil && *c.Serving && c.Terminating != nil && *c.Terminating:
					serving = append(serving, at)
				}
			}
		}
	}
	if len(ready) == 0 {
		ready = serving
	}
	slices.SortFunc(ready, func(a, b endpointAddress) int { return strings.Compare(a.address, b.address) })
	return slices.Compact(ready)
}

// lookup finds the addresses of a name, as the DNS of a cluster does: NAME.NAMESPACE.svc.cluster.local is a Service, and the parts after
// the first one may be left out, as the search list of a Pod says.
func (k *kubelets) lookup(from cri.Source, name string) ([]string, error) {
	name = strings.TrimSuffix(name, ".")
	if name == "localhost" {
		return []string{"127.0.0.1"}, nil
	}
	for _, suffix := range []string{"", "." + from.Namespace + ".svc." + domain, ".svc." + domain, "." + domain} {
		if addresses := k.resolve(name+suffix, 0); len(addresses) > 0 {
			return addresses, nil
		}
	}
	return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}

// resolve finds the addresses of a complete name. depth counts the Services of type ExternalName that lead there.
func (k *kubelets) resolve(name string, depth int) (addresses []string) {
	inCluster, found := strings.CutSuffix(name, "."+domain)
	parts := strings.Split(inCluster, ".")
	const maxDepth = 8
	if !found || len(parts) < 3 || depth > maxDepth {
		return nil
	}
	kind, namespace, rest := parts[len(parts)-1], parts[len(parts)-2], parts[:len(parts)-2]
	if kind == "pod" && len(rest) == 1 {
		return []string{strings.ReplaceAll(rest[0], "-", ".")}
	}
	object, found := k.sim.State.Get(schema.GroupResource{Resource: "services"}, namespace, rest[len(rest)-1])
	if kind != "svc" || !found {
		return nil
	}
	service := object.(*corev1.Service)
	switch {
	case service.Spec.Type == corev1.ServiceTypeExternalName:
		return k.resolve(strings.TrimSuffix(service.Spec.ExternalName, "."), depth+1)
	case service.Spec.ClusterIP != corev1.ClusterIPNone && len(rest) == 1:
		return service.Spec.ClusterIPs
	}
	for _, object := range k.sim.State.List(endpointSlices, namespace) {
		slice := object.(*discoveryv1.EndpointSlice)
		if slice.Labels[discoveryv1.LabelServiceName] != service.Name {
			continue
		}
		for _, e := range slice.Endpoints {
			named := len(rest) == 1 || e.Hostname != nil && *e.Hostname == rest[0]
			if named && (service.Spec.PublishNotReadyAddresses || e.Conditions.Ready == nil || *e.Conditions.Ready) {
				addresses = append(addresses, e.Addresses...)
			}
		}
	}
	slices.Sort(addresses)
	return addresses
}
