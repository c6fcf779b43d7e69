package apiserver

import (
	"fmt"
	"net"

	corev1 "k8s.io/api/core/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
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

	api "k8s.io/kubernetes/pkg/apis/core"
)

// kube-apiserver's defaults for --service-cluster-ip-range (kubeadm's) and --service-node-port-range.
const (
	serviceCIDR        = "10.96.0.0/12"
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
	options generic.RESTOptionsGetter, allow authorizer.Authorizer, pdbs evictionClient,
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
	if err := addWorkload(storages, options, allow, pdbs); err != nil {
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
	allow authorizer.Authorizer, pdbs evictionClient,
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

	addresses, ports, err := newServiceAllocators()
	if err != nil {
		return err
	}
	services, status, _, err := servicestore.NewREST(options, addresses.IPFamily(),
		map[api.IPFamily]ipallocator.Interface{addresses.IPFamily(): addresses}, ports, endpoints, pods.Pod, nil)
	if err != nil {
		return err
	}
	storages["services"], storages["services/status"] = services, status
	return nil
}

// newServiceAllocators hands out ClusterIPs and node ports from memory. They draw from math/rand seeded
// with the clock, which is virtual inside a simulation, so the same start date gives the same addresses.
func newServiceAllocators() (*ipallocator.Range, *portallocator.PortAllocator, error) {
	_, cidr, err := net.ParseCIDR(serviceCIDR)
	if err != nil {
		return nil, nil, fmt.Errorf("service CIDR: %w", err)
	}
	addresses, err := ipallocator.NewInMemory(cidr)
	if err != nil {
		return nil, nil, err
	}
	portRange, err := utilnet.ParsePortRange(nodePortRange)
	if err != nil {
		return nil, nil, fmt.Errorf("node ports: %w", err)
	}
	ports, err := portallocator.NewInMemory(*portRange)
	return addresses, ports, err
}
