package controlplane

import (
	"fmt"
	"net"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controlplane/controller/kubernetesservice"
	"k8s.io/kubernetes/pkg/controlplane/reconcilers"
	netutils "k8s.io/utils/net"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/network"
)

const (
	// serviceName is the Service through which Pods reach the API server.
	serviceName = "kubernetes"
	// address is where the API server is: the last one of the network of the nodes, which begin at 192.168.0.1. Its
	// ports are kube-apiserver's default and that of the Service.
	address           = "192.168.255.254"
	securePort        = 6443
	servicePort       = 443
	primaryAddressKey = 1
)

// keepService creates the Service default/kubernetes, its Endpoints and its EndpointSlice, with upstream's controller,
// and repairs them after a change.
func keepService(s *sim.Simulation, client kubernetes.Interface, subnet *net.IPNet) error {
	ip, err := netutils.GetIndexedIP(subnet, primaryAddressKey)
	if err != nil {
		return fmt.Errorf("address of the Service %s: %w", serviceName, err)
	}
	known := &services{store: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})}
	adapter := reconcilers.NewEndpointsAdapter(client.CoreV1(), client.DiscoveryV1())
	controller := kubernetesservice.New(kubernetesservice.Config{
		PublicIP: netutils.ParseIPSloppy(address), ServiceIP: ip, ServicePort: servicePort, PublicServicePort: securePort,
		EndpointReconciler: reconcilers.NewMasterCountEndpointReconciler(1, adapter), EndpointInterval: interval,
	}, client, known)
	if restored, found := s.State.Get(corev1.Resource("services"), metav1.NamespaceDefault, serviceName); found {
		if err := known.store.Add(restored); err != nil {
			return fmt.Errorf("restored Service %s: %w", serviceName, err)
		}
	}
	l := &loop{
		simulation: s, name: "kube-apiserver|" + serviceName, concerns: isService,
		look: func() error { return controller.UpdateKubernetesService(false) },
	}
	// The informer is older than the loop.
	s.OnChange(func(change network.Change) {
		if isService(change) {
			known.note(change)
		}
	})
	return l.start()
}

// isService reports whether a change is one of the objects that the controller keeps.
func isService(change network.Change) bool {
	accessor, err := meta.Accessor(change.Object)
	if err != nil || accessor.GetNamespace() != metav1.NamespaceDefault || accessor.GetName() != serviceName {
		return false
	}
	switch change.Resource.Resource {
	case "services", "endpoints", "endpointslices":
		return true
	}
	return false
}

// services is the informer of the controller: the Service, as it is stored.
type services struct {
	cache.SharedIndexInformer
	store cache.Indexer
}

func (i *services) note(change network.Change) {
	if service, ok := change.Object.(*corev1.Service); ok {
		// The key of an object with metadata is always known.
		if change.Op == memdb.OpDelete {
			_ = i.store.Delete(service)
		} else {
			_ = i.store.Update(service)
		}
	}
}

// Informer implements coreinformers.ServiceInformer.
func (i *services) Informer() cache.SharedIndexInformer { return i }

// HasSynced implements cache.SharedInformer.
func (i *services) HasSynced() bool { return true }

// Lister implements coreinformers.ServiceInformer.
func (i *services) Lister() corelisters.ServiceLister { return corelisters.NewServiceLister(i.store) }
