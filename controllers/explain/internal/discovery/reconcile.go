package discovery

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	discoveryclient "k8s.io/client-go/kubernetes/typed/discovery/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/topologycache"
	endpointsliceutil "k8s.io/endpointslice/util"
	"k8s.io/klog/v2"
	endpointslicecontroller "k8s.io/kubernetes/pkg/controller/endpointslice"

	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
)

// reconcile runs upstream's reconciler. Its error is that of a sync that fails, such as a Pod on an unknown node.
func (p *endpoints) reconcile(noted *notes) error {
	var silent klog.Logger
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	var nodes []*corev1.Node
	for _, o := range p.Objects(p.Cache("nodes"), "") {
		node := &corev1.Node{}
		if observed.Convert(p.Cached(o), node) == nil {
			nodes = append(nodes, node)
			if err := indexer.Add(node); err != nil {
				return err
			}
		}
	}
	topology := topologycache.NewTopologyCache()
	topology.SetNodes(silent, nodes)
	reconciler := endpointslice.NewReconciler(clientset{notes: noted}, corelisters.NewNodeLister(indexer), most,
		endpointsliceutil.NewEndpointSliceTracker(), topology, &record.FakeRecorder{}, endpointslicecontroller.ControllerName,
		trafficDistribution())
	// The time of the last change is for an annotation, which is not explained.
	return reconciler.Reconcile(silent, p.service, p.pods, p.slices, time.Time{})
}

// notes are the EndpointSlices that a client was asked to write.
type notes struct {
	created, updated, deleted []string
	written                   []*discoveryv1.EndpointSlice
}

// apply is what there is after the writes.
func (n *notes) apply(before []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	after := slices.Clone(n.written)
	for _, slice := range before {
		if !slices.Contains(n.updated, slice.Name) && !slices.Contains(n.deleted, slice.Name) {
			after = append(after, slice)
		}
	}
	return after
}

// A clientset, its group discovery.k8s.io/v1 and the resource endpointslices, with the methods that the reconciler calls.
type (
	clientset struct {
		kubernetes.Interface
		notes *notes
	}
	group struct {
		discoveryclient.DiscoveryV1Interface
		notes *notes
	}
	resource struct {
		discoveryclient.EndpointSliceInterface
		notes *notes
	}
)

// DiscoveryV1 implements kubernetes.Interface.
func (c clientset) DiscoveryV1() discoveryclient.DiscoveryV1Interface { return group{notes: c.notes} }

// EndpointSlices implements discoveryclient.DiscoveryV1Interface.
func (g group) EndpointSlices(string) discoveryclient.EndpointSliceInterface {
	return resource{notes: g.notes}
}

// Create implements discoveryclient.EndpointSliceInterface.
func (r resource) Create(_ context.Context, slice *discoveryv1.EndpointSlice, _ metav1.CreateOptions) (*discoveryv1.EndpointSlice, error) {
	r.notes.created = append(r.notes.created, slice.GenerateName)
	r.notes.written = append(r.notes.written, slice)
	return slice, nil
}

// Update implements discoveryclient.EndpointSliceInterface.
func (r resource) Update(_ context.Context, slice *discoveryv1.EndpointSlice, _ metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error) {
	r.notes.updated = append(r.notes.updated, slice.Name)
	r.notes.written = append(r.notes.written, slice)
	return slice, nil
}

// Delete implements discoveryclient.EndpointSliceInterface.
func (r resource) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	r.notes.deleted = append(r.notes.deleted, name)
	return nil
}

// endpointsOf are the endpoints of all slices, by the Pod and the address type, with their conditions.
func endpointsOf(all []*discoveryv1.EndpointSlice) map[string]string {
	found := map[string]string{}
	for _, slice := range all {
		for _, e := range slice.Endpoints {
			name := strings.Join(e.Addresses, ",")
			if e.TargetRef != nil {
				name = e.TargetRef.Name
			}
			if slice.AddressType != discoveryv1.AddressTypeIPv4 {
				name += " (" + string(slice.AddressType) + ")"
			}
			found[name] = conditionOf(&e)
		}
	}
	return found
}

// conditionOf is the state of an endpoint in a word.
func conditionOf(e *discoveryv1.Endpoint) string {
	is := func(value *bool) bool { return value != nil && *value }
	switch {
	case is(e.Conditions.Terminating) && is(e.Conditions.Serving):
		return "terminating, serving"
	case is(e.Conditions.Terminating):
		return "terminating, not serving"
	case is(e.Conditions.Ready):
		return "ready"
	}
	return "not ready"
}

// compare names the endpoints that are new, gone, or in another state.
func compare(before, now map[string]string) (added, removed, changed []string) {
	for _, name := range slices.Sorted(maps.Keys(now)) {
		was, existed := before[name]
		switch is := now[name]; {
		case !existed:
			added = append(added, name+" ("+is+")")
		case was != is:
			changed = append(changed, name+" ("+was+" -> "+is+")")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, exists := now[name]; !exists {
			removed = append(removed, name)
		}
	}
	return added, removed, changed
}
