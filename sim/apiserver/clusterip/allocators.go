// Package clusterip hands out the cluster IPs and node ports of Services, with upstream's allocators of
// pkg/registry/core/service. Upstream starts controllers around them, which learn of ServiceCIDRs and repair what does not
// fit together. Here nothing runs: the ServiceCIDRs are read when a Service needs an address.
//
// Kubernetes before 1.33 has no ServiceCIDRs: an API server that emulates such a version has one fixed range for each IP
// family, that of its flag, and a bitmap of what is taken. Upstream keeps the bitmap in etcd and rebuilds it from the
// stored Services; here it is in memory, and is built when the Services are restored.
package clusterip

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/registry/generic"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	networkinginformers "k8s.io/client-go/informers/networking/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	servicestore "k8s.io/kubernetes/pkg/registry/core/service/storage"
	netutils "k8s.io/utils/net"

	api "k8s.io/kubernetes/pkg/apis/core"
)

// nodePortRange is kube-apiserver's default for --service-node-port-range.
const nodePortRange = "30000-32767"

// Allocators hand out what is unique to a Service: an address of each IP family of the cluster, the first
// family being the default, and node ports. They draw from math/rand seeded with the clock, which is virtual inside a
// simulation, so the same start date gives the same addresses.
type Allocators struct {
	families []family
	ports    *portallocator.PortAllocator
}

// family hands out the cluster IPs of one IP family.
type family interface {
	ipallocator.Interface
	// serve says which Service the next address is for.
	serve(service *api.Service)
}

// fixedRange is the range of a cluster without ServiceCIDRs.
type fixedRange struct{ *ipallocator.Range }

// serve implements family. Nothing notes whose an address is.
func (fixedRange) serve(*api.Service) {}

// New makes allocators for a cluster with this service subnet (Subnets). The subnet says which IP families there are;
// the ranges themselves are those of the stored ServiceCIDRs, unless the gate MultiCIDRServiceAllocator is off. client
// creates and deletes IPAddresses.
func New(subnet string, client kubernetes.Interface, stored func() networkinginformers.Interface) (*Allocators, error) {
	ranges, err := Subnets(subnet)
	if err != nil {
		return nil, fmt.Errorf("service subnet: %w", err)
	}
	portRange, err := utilnet.ParsePortRange(nodePortRange)
	if err != nil {
		return nil, fmt.Errorf("node ports: %w", err)
	}
	out := &Allocators{}
	for _, each := range ranges {
		if utilfeature.DefaultFeatureGate.Enabled(features.MultiCIDRServiceAllocator) {
			out.families = append(out.families, &addresses{
				family: familyOf(each.String()), client: client.NetworkingV1(), informers: stored,
				ranges: map[string]*ipallocator.Allocator{},
			})
			continue
		}
		bitmap, err := ipallocator.NewInMemory(each)
		if err != nil {
			return nil, fmt.Errorf("service subnet %s: %w", each, err)
		}
		out.families = append(out.families, fixedRange{bitmap})
	}
	// The registry keeps the map of ports in etcd, where nobody sees it.
	out.ports, err = portallocator.NewInMemory(*portRange)
	return out, err
}

// Registry makes the registry of Services, which takes addresses and ports from the allocators.
func (a *Allocators) Registry(
	options generic.RESTOptionsGetter, endpoints Endpoints, pods servicestore.PodStorage,
) (*servicestore.REST, *servicestore.StatusREST, error) {
	byFamily := map[api.IPFamily]ipallocator.Interface{}
	for _, each := range a.families {
		byFamily[each.IPFamily()] = each
	}
	services, status, _, err := servicestore.NewREST(
		options, a.families[0].IPFamily(), byFamily, a.ports, backends(endpoints), pods, nil)
	if err != nil {
		return nil, nil, err
	}
	a.follow(services)
	return services, status, nil
}

// follow makes the registry of Services say which Service the next addresses are for: the IPAddresses name it.
func (a *Allocators) follow(services *servicestore.REST) {
	of := func(obj runtime.Object) {
		service, _ := obj.(*api.Service)
		for _, each := range a.families {
			each.serve(service)
		}
	}
	create, update := services.BeginCreate, services.BeginUpdate
	services.BeginCreate = func(ctx context.Context, obj runtime.Object, options *metav1.CreateOptions) (
		genericregistry.FinishFunc, error,
	) {
		of(obj)
		return create(ctx, obj, options)
	}
	services.BeginUpdate = func(ctx context.Context, obj, old runtime.Object, options *metav1.UpdateOptions) (
		genericregistry.FinishFunc, error,
	) {
		of(obj)
		return update(ctx, obj, old, options)
	}
}

// Adopt marks what a restored Service has as allocated. Addresses outside of the ranges stay as they are, and so do ports
// that another Service has, as with upstream's repair loops, which report them.
func (a *Allocators) Adopt(service *api.Service) error {
	addresses := service.Spec.ClusterIPs
	if len(addresses) == 0 {
		// Old versions stored the first one only.
		addresses = []string{service.Spec.ClusterIP}
	}
	for _, ip := range addresses {
		parsed := netutils.ParseIPSloppy(ip)
		for _, each := range a.families {
			if parsed == nil || netutils.IsIPv6(parsed) != (each.IPFamily() == api.IPv6Protocol) {
				continue
			}
			each.serve(service)
			if err := each.Allocate(parsed); err != nil && !isRefusal(err) {
				return fmt.Errorf("address %s of Service %s/%s: %w", ip, service.Namespace, service.Name, err)
			}
		}
	}
	for _, port := range service.Spec.Ports {
		if port.NodePort == 0 {
			continue
		}
		if err := a.ports.Allocate(int(port.NodePort)); err != nil && !errors.Is(err, portallocator.ErrAllocated) {
			return fmt.Errorf("port %d of Service %s/%s: %w", port.NodePort, service.Namespace, service.Name, err)
		}
	}
	return nil
}

// isRefusal reports whether an address is taken or outside of the ranges.
func isRefusal(err error) bool {
	var outside *ipallocator.ErrNotInRange
	return errors.Is(err, ipallocator.ErrAllocated) || errors.Is(err, ipallocator.ErrMismatchedNetwork) || errors.As(err, &outside)
}
