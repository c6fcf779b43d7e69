package controlplane

import (
	"fmt"
	"net"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controlplane/controller/defaultservicecidr"
	"k8s.io/kubernetes/pkg/controlplane/controller/kubernetesservice"
	"k8s.io/kubernetes/pkg/controlplane/reconcilers"
	netutils "k8s.io/utils/net"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

const (
	// interval is upstream's DefaultEndpointReconcilerInterval.
	interval = 10 * time.Second
	// serviceName is the Service through which Pods reach the API server.
	serviceName = "kubernetes"
	// address is where the API server is: the last one of the network of the nodes, which begin at 192.168.0.1. Its
	// ports are kube-apiserver's default and that of the Service.
	address           = "192.168.255.254"
	securePort        = 6443
	servicePort       = 443
	readyMessage      = "Kubernetes default Service CIDR is ready"
	primaryAddressKey = 1
)

// ServiceCIDR is the one that kube-apiserver creates for the ranges of its flag.
func ServiceCIDR(ranges []*net.IPNet) *networkingv1.ServiceCIDR {
	cidr := &networkingv1.ServiceCIDR{ObjectMeta: metav1.ObjectMeta{Name: defaultservicecidr.DefaultServiceCIDRName}}
	for _, each := range ranges {
		cidr.Spec.CIDRs = append(cidr.Spec.CIDRs, each.String())
	}
	return cidr
}

// createServiceCIDR creates the ServiceCIDR kubernetes, ready at once, as upstream's controller defaultservicecidr does.
// That one says so by a server-side apply, which here would cost as much as a hundred other requests.
func createServiceCIDR(s *sim.Simulation, client kubernetes.Interface, ranges []*net.IPNet) error {
	cidr := ServiceCIDR(ranges)
	cidrs := client.NetworkingV1().ServiceCIDRs()
	created, err := cidrs.Create(s.Context(), cidr, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err) {
		// It was restored, or the emulated version does not have the kind.
		return nil
	} else if err != nil {
		return fmt.Errorf("ServiceCIDR %s: %w", cidr.Name, err)
	}
	created.Status.Conditions = []metav1.Condition{{
		Type: networkingv1.ServiceCIDRConditionReady, Status: metav1.ConditionTrue, Message: readyMessage,
		LastTransitionTime: metav1.NewTime(s.Engine.Date()),
	}}
	if _, err = cidrs.UpdateStatus(s.Context(), created, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("status of ServiceCIDR %s: %w", cidr.Name, err)
	}
	return nil
}

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
	begin := s.Engine.Now()
	due := false
	s.OnChange(func(change sim.Change) {
		if !isService(change) {
			return
		}
		known.note(change)
		// What the controller writes itself is no reason to look again.
		if due || change.Background {
			return
		}
		due = true
		next := begin + ((s.Engine.Now()-begin)/interval+1)*interval
		s.Engine.At(next, "kube-apiserver|"+serviceName, func() {
			due = false
			// It can fail only if somebody makes the API server refuse, and then nobody can see it.
			_ = controller.UpdateKubernetesService(false)
		})
	})
	return controller.UpdateKubernetesService(false)
}

// isService reports whether a change is one of the objects that the controller keeps.
func isService(change sim.Change) bool {
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

func (i *services) note(change sim.Change) {
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
