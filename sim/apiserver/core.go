package apiserver

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/client-go/kubernetes"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	kubeletclient "k8s.io/kubernetes/pkg/kubelet/client"
	replicationcontrollerstore "k8s.io/kubernetes/pkg/registry/core/replicationcontroller/storage"

	endpointsstore "k8s.io/kubernetes/pkg/registry/core/endpoint/storage"
	limitrangestore "k8s.io/kubernetes/pkg/registry/core/limitrange/storage"
	nodestore "k8s.io/kubernetes/pkg/registry/core/node/storage"
	pvstore "k8s.io/kubernetes/pkg/registry/core/persistentvolume/storage"
	pvcstore "k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim/storage"
	podstore "k8s.io/kubernetes/pkg/registry/core/pod/storage"
	podtemplatestore "k8s.io/kubernetes/pkg/registry/core/podtemplate/storage"
	corerest "k8s.io/kubernetes/pkg/registry/core/rest"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	servicestore "k8s.io/kubernetes/pkg/registry/core/service/storage"

	netutils "k8s.io/utils/net"

	api "k8s.io/kubernetes/pkg/apis/core"
)

// kube-apiserver's defaults for --service-node-port-range and --kubelet-port.
const (
	nodePortRange      = "30000-32767"
	kubeletPort   uint = 10250
)

// evictionClient reads and updates PodDisruptionBudgets for the eviction subresource. A real API server
// uses a loopback HTTP client; here the calls go straight to the storages.
type evictionClient = policyclient.PodDisruptionBudgetsGetter

// newCoreStorage wires the core group. Upstream's own corerest.New is of no use without etcd: it opens
// a connection for its node port allocator at once. Events, namespaces, secrets, configmaps, service
// accounts and quotas come from its GenericConfig; the rest is put together here, each from upstream's
// constructor.
func newCoreStorage(factory serverstorage.StorageFactory, served serverstorage.APIResourceConfigSource,
	options generic.RESTOptionsGetter, allow authorizer.Authorizer, pdbs evictionClient, allocators *serviceAllocators,
) (genericapiserver.APIGroupInfo, error) {
	config := corerest.GenericConfig{
		StorageFactory: factory, EventTTL: eventTTL, LoopbackClientConfig: noLoopback(),
	}
	info, err := config.NewRESTStorage(served, options)
	if err != nil {
		return info, err
	}
	storages := info.VersionedResourcesStorageMap["v1"]
	steps := []func(map[string]rest.Storage, generic.RESTOptionsGetter) error{
		addSimple, addVolumes, addReplicationControllers,
	}
	for _, add := range steps {
		if err := add(storages, options); err != nil {
			return info, err
		}
	}
	if err := addWorkload(storages, options, allow, pdbs, allocators); err != nil {
		return info, err
	}
	info.VersionedResourcesStorageMap[corev1.SchemeGroupVersion.Version] = storages
	return info, nil
}

func addSimple(storages map[string]rest.Storage, options generic.RESTOptionsGetter) error {
	podTemplates, err := podtemplatestore.NewREST(options)
	if err != nil {
		return err
	}
	limitRanges, err := limitrangestore.NewREST(options)
	if err != nil {
		return err
	}
	storages["podtemplates"], storages["limitranges"] = podTemplates, limitRanges
	return nil
}

func addVolumes(storages map[string]rest.Storage, options generic.RESTOptionsGetter) error {
	pv, pvStatus, err := pvstore.NewREST(options)
	if err != nil {
		return err
	}
	pvc, pvcStatus, err := pvcstore.NewREST(options)
	if err != nil {
		return err
	}
	storages["persistentvolumes"], storages["persistentvolumes/status"] = pv, pvStatus
	storages["persistentvolumeclaims"], storages["persistentvolumeclaims/status"] = pvc, pvcStatus
	return nil
}

func addReplicationControllers(storages map[string]rest.Storage, options generic.RESTOptionsGetter) error {
	controllers, err := replicationcontrollerstore.NewStorage(options)
	if err != nil {
		return err
	}
	storages["replicationcontrollers"] = controllers.Controller
	storages["replicationcontrollers/status"] = controllers.Status
	storages["replicationcontrollers/scale"] = controllers.Scale
	return nil
}

// addWorkload adds the resources that know each other: nodes, pods, endpoints and services.
func addWorkload(storages map[string]rest.Storage, options generic.RESTOptionsGetter,
	allow authorizer.Authorizer, pdbs evictionClient, allocators *serviceAllocators,
) error {
	nodes, err := nodestore.NewStorage(options, kubeletclient.KubeletClientConfig{Port: kubeletPort}, nil)
	if err != nil {
		return err
	}
	storages["nodes"], storages["nodes/status"] = nodes.Node, nodes.Status

	pods, err := podstore.NewStorage(options, nodes.KubeletConnectionInfo, nil, pdbs, allow)
	if err != nil {
		return err
	}
	storages["pods"], storages["pods/status"] = pods.Pod, pods.Status
	storages["pods/binding"], storages["bindings"] = pods.Binding, pods.LegacyBinding
	storages["pods/eviction"] = pods.Eviction
	storages["pods/ephemeralcontainers"], storages["pods/resize"] = pods.EphemeralContainers, pods.Resize

	endpoints, err := endpointsstore.NewREST(options)
	if err != nil {
		return err
	}
	storages["endpoints"] = endpoints

	return addServices(storages, options, endpoints, pods.Pod, allocators)
}

// addServices adds Services. Their cluster IPs and node ports come from allocators.
func addServices(storages map[string]rest.Storage, options generic.RESTOptionsGetter,
	endpoints servicestore.EndpointsStorage, pods servicestore.PodStorage, allocators *serviceAllocators,
) error {
	byFamily := map[api.IPFamily]ipallocator.Interface{}
	for _, each := range allocators.addresses {
		byFamily[each.family] = each
	}
	services, status, _, err := servicestore.NewREST(
		options, allocators.addresses[0].family, byFamily, allocators.ports, endpoints, pods, nil)
	if err != nil {
		return err
	}
	follow(services, allocators.addresses)
	storages["services"], storages["services/status"] = services, status
	return nil
}

// serviceAllocators hand out what is unique to a Service: an address of each IP family of the cluster, the first
// family being the default, and node ports. They draw from math/rand seeded with the clock, which is virtual inside a
// simulation, so the same start date gives the same addresses.
type serviceAllocators struct {
	addresses []*serviceAddresses
	ports     *portallocator.PortAllocator
}

// newServiceAllocators makes allocators for a cluster with this service subnet. The subnet says which IP families there
// are; the ranges themselves are those of the ServiceCIDRs.
func newServiceAllocators(subnet string, self kubernetes.Interface, caches *storedCaches) (*serviceAllocators, error) {
	ranges, err := ServiceSubnets(subnet)
	if err != nil {
		return nil, fmt.Errorf("service subnet: %w", err)
	}
	portRange, err := utilnet.ParsePortRange(nodePortRange)
	if err != nil {
		return nil, fmt.Errorf("node ports: %w", err)
	}
	out := &serviceAllocators{}
	for _, each := range ranges {
		out.addresses = append(out.addresses, &serviceAddresses{
			family: familyOf(each.String()), client: self.NetworkingV1(), informers: caches.Networking().V1,
			ranges: map[string]*ipallocator.Allocator{},
		})
	}
	// The registry keeps the map of ports in etcd, where nobody sees it.
	out.ports, err = portallocator.NewInMemory(*portRange)
	return out, err
}

// adopt marks what a restored Service has as allocated. Addresses outside of the ranges stay as they are, and so do ports
// that another Service has, as with upstream's repair loops, which report them.
func (a *serviceAllocators) adopt(service *api.Service) error {
	for _, ip := range service.Spec.ClusterIPs {
		parsed := netutils.ParseIPSloppy(ip)
		for _, addresses := range a.addresses {
			if parsed == nil || netutils.IsIPv6(parsed) != (addresses.family == api.IPv6Protocol) {
				continue
			}
			addresses.service = service
			err := addresses.Allocate(parsed)
			if err != nil && !errors.Is(err, ipallocator.ErrAllocated) && !errors.Is(err, ipallocator.ErrMismatchedNetwork) {
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
