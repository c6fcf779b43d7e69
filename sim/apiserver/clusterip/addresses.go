package clusterip

import (
	"errors"
	"maps"
	"net"
	"net/netip"
	"slices"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	networkinginformers "k8s.io/client-go/informers/networking/v1"
	networkingclient "k8s.io/client-go/kubernetes/typed/networking/v1"
	"k8s.io/kubernetes/pkg/api/servicecidr"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	netutils "k8s.io/utils/net"

	api "k8s.io/kubernetes/pkg/apis/core"
)

// addresses hands out the cluster IPs of one IP family, like upstream's ipallocator.MetaAllocator: from the
// ranges of all ServiceCIDRs that are ready, each range with upstream's ipallocator.Allocator, which creates an
// IPAddress for each address and deletes it with the Service.
//
// The MetaAllocator itself has a work queue and a worker, and asks its ranges in the order of a Go map. This one reads
// the ServiceCIDRs when it is asked, and asks the ranges in the order of their text.
type addresses struct {
	family api.IPFamily
	client networkingclient.NetworkingV1Interface
	// informers are upstream's view of the stored ServiceCIDRs and IPAddresses. They exist when the server does.
	informers func() networkinginformers.Interface
	ranges    map[string]*ipallocator.Allocator
	// service is the Service that gets an address. The registry of Services tells it only to a MetaAllocator.
	service *api.Service
}

var _ family = &addresses{}

// serve implements family.
func (a *addresses) serve(service *api.Service) { a.service = service }

// sync makes an allocator for each range and lists those that may hand out addresses, sorted, and all of them.
func (a *addresses) sync() (ready, known []string, err error) {
	cidrs, err := a.informers().ServiceCIDRs().Lister().List(labels.Everything())
	if err != nil {
		return nil, nil, err
	}
	states := map[string]bool{}
	for _, cidr := range cidrs {
		for _, text := range cidr.Spec.CIDRs {
			if familyOf(text) == a.family {
				states[text] = states[text] || isReady(cidr)
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(states)) {
		if a.ranges[text] == nil {
			_, network, err := netutils.ParseCIDRSloppy(text)
			if err != nil {
				return nil, nil, err
			}
			if a.ranges[text], err = ipallocator.NewIPAllocator(network, a.client, a.informers().IPAddresses()); err != nil {
				return nil, nil, err
			}
		}
		known = append(known, text)
		if states[text] {
			ready = append(ready, text)
		}
	}
	return ready, known, nil
}

// isReady is upstream's condition for a range to be used: where nobody says whether it is ready, it is.
func isReady(cidr *networkingv1.ServiceCIDR) bool {
	for _, condition := range cidr.Status.Conditions {
		if condition.Type == networkingv1.ServiceCIDRConditionReady && condition.Status != metav1.ConditionTrue {
			return false
		}
	}
	return cidr.DeletionTimestamp.IsZero()
}

func familyOf(cidr string) api.IPFamily {
	if netutils.IsIPv6CIDRString(cidr) {
		return api.IPv6Protocol
	}
	return api.IPv4Protocol
}

// holding finds the first of the ranges that contains an address.
func (a *addresses) holding(ip net.IP, ranges []string) (*ipallocator.Allocator, error) {
	address := servicecidr.IPToAddr(ip)
	for _, text := range ranges {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, err
		}
		if servicecidr.PrefixContainsIP(prefix, address) {
			return a.ranges[text], nil
		}
	}
	return nil, ipallocator.ErrMismatchedNetwork
}

// Allocate implements ipallocator.Interface.
func (a *addresses) Allocate(ip net.IP) error {
	ready, _, err := a.sync()
	if err != nil {
		return err
	}
	allocator, err := a.holding(ip, ready)
	if err != nil {
		return err
	}
	return allocator.AllocateService(a.service, ip)
}

// AllocateNext implements ipallocator.Interface.
func (a *addresses) AllocateNext() (net.IP, error) {
	ready, _, err := a.sync()
	if err != nil {
		return nil, err
	}
	for _, text := range ready {
		ip, err := a.ranges[text].AllocateNextService(a.service)
		if err == nil || !errors.Is(err, ipallocator.ErrFull) {
			return ip, err
		}
	}
	return nil, ipallocator.ErrFull
}

// Release implements ipallocator.Interface.
func (a *addresses) Release(ip net.IP) error {
	_, known, err := a.sync()
	if err != nil {
		return err
	}
	allocator, err := a.holding(ip, known)
	if err != nil {
		return err
	}
	return allocator.Release(ip)
}

// Has implements ipallocator.Interface.
func (a *addresses) Has(ip net.IP) bool {
	ready, _, err := a.sync()
	if err != nil {
		return false
	}
	allocator, err := a.holding(ip, ready)
	return err == nil && allocator.Has(ip)
}

// DryRun implements ipallocator.Interface.
func (a *addresses) DryRun() ipallocator.Interface {
	if ready, _, err := a.sync(); err == nil && len(ready) > 0 {
		return a.ranges[ready[0]].DryRun()
	}
	return (&ipallocator.Allocator{}).DryRun()
}

// IPFamily implements ipallocator.Interface.
func (a *addresses) IPFamily() api.IPFamily { return a.family }

// CIDR implements ipallocator.Interface. Nobody asks: there may be several ranges.
func (a *addresses) CIDR() net.IPNet { return net.IPNet{} }

// ForEach implements ipallocator.Interface. Only a repair loop would use it.
func (a *addresses) ForEach(func(net.IP)) {}

// Destroy implements ipallocator.Interface.
func (a *addresses) Destroy() {}

// EnableMetrics implements ipallocator.Interface.
func (a *addresses) EnableMetrics() {}
