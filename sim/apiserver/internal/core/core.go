// Package core puts the storages of the core API group together, each from upstream's constructor: upstream's own function
// for all of them needs etcd.
package core

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	restclient "k8s.io/client-go/rest"
	kubeletclient "k8s.io/kubernetes/pkg/kubelet/client"
	replicationcontrollerstore "k8s.io/kubernetes/pkg/registry/core/replicationcontroller/storage"

	endpointsstore "k8s.io/kubernetes/pkg/registry/core/endpoint/storage"
	limitrangestore "k8s.io/kubernetes/pkg/registry/core/limitrange/storage"
	nodestore "k8s.io/kubernetes/pkg/registry/core/node/storage"
	pvstore "k8s.io/kubernetes/pkg/registry/core/persistentvolume/storage"
	pvcstore "k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim/storage"
	podtemplatestore "k8s.io/kubernetes/pkg/registry/core/podtemplate/storage"
	corerest "k8s.io/kubernetes/pkg/registry/core/rest"

	"github.com/kubestep/kubestep/sim/apiserver/clusterip"
)

// kubeletPort is kube-apiserver's default for --kubelet-port.
const kubeletPort uint = 10250

// evictionClient reads and updates PodDisruptionBudgets for the eviction subresource. A real API server
// uses a loopback HTTP client; here the calls go straight to the storages.
type evictionClient = policyclient.PodDisruptionBudgetsGetter

// New wires the core group. Upstream's own corerest.New opens
// a connection for its node port allocator at once. Events, namespaces, secrets, configmaps, service
// accounts and quotas come from its GenericConfig; the rest is put together here, each from upstream's
// constructor.
func New(factory serverstorage.StorageFactory, served serverstorage.APIResourceConfigSource,
	options generic.RESTOptionsGetter, allow authorizer.Authorizer, pdbs evictionClient, allocators *clusterip.Allocators,
	eventTTL time.Duration, tokens Tokens,
) (genericapiserver.APIGroupInfo, error) {
	config := corerest.GenericConfig{
		StorageFactory: factory, EventTTL: eventTTL, LoopbackClientConfig: &restclient.Config{},
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
	if err := tokens.add(storages, options, allow); err != nil {
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
	storages["componentstatuses"] = newComponents()
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
	allow authorizer.Authorizer, pdbs evictionClient, allocators *clusterip.Allocators,
) error {
	nodes, err := nodestore.NewStorage(options, kubeletclient.KubeletClientConfig{Port: kubeletPort}, nil)
	if err != nil {
		return err
	}
	storages["nodes"], storages["nodes/status"] = nodes.Node, nodes.Status

	pods, err := newPods(options, nodes.KubeletConnectionInfo, pdbs, allow)
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

	services, status, err := allocators.Registry(options, endpoints, pods.Pod)
	if err != nil {
		return err
	}
	storages["services"], storages["services/status"] = services, status
	return nil
}
