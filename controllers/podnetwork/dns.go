package podnetwork

import (
	"net"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// domain is that of the cluster's DNS.
const domain = "cluster.local"

// Lookup finds the addresses of a name, as the DNS of a cluster does: NAME.NAMESPACE.svc.cluster.local is a Service, and the parts after
// the first one may be left out, as the search list of a Pod says. The error is a *net.DNSError if nothing has the name.
func (n *Network) Lookup(from cri.Source, name string) ([]string, error) {
	name = strings.TrimSuffix(name, ".")
	if name == "localhost" {
		return []string{"127.0.0.1"}, nil
	}
	for _, suffix := range []string{"", "." + from.Namespace + ".svc." + domain, ".svc." + domain, "." + domain} {
		if addresses := n.resolve(name+suffix, 0); len(addresses) > 0 {
			return addresses, nil
		}
	}
	return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}

// resolve finds the addresses of a complete name. depth counts the Services of type ExternalName that lead there.
func (n *Network) resolve(name string, depth int) (addresses []string) {
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
	object, found := n.sim.State.Get(corev1.Resource("services"), namespace, rest[len(rest)-1])
	if kind != "svc" || !found {
		return nil
	}
	service := object.(*corev1.Service)
	switch {
	case service.Spec.Type == corev1.ServiceTypeExternalName:
		return n.resolve(strings.TrimSuffix(service.Spec.ExternalName, "."), depth+1)
	case service.Spec.ClusterIP != corev1.ClusterIPNone && len(rest) == 1:
		return service.Spec.ClusterIPs
	}
	for _, object := range n.sim.State.List(endpointSlices, namespace) {
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
