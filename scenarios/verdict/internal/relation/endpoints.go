package relation

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/api/v1/pod"
)

// The values of the label endpointslice.kubernetes.io/managed-by of slices that controllers of kube-controller-manager write.
const (
	managedBySlices    = "endpointslice-controller.k8s.io"
	managedByMirroring = "endpointslicemirroring-controller.k8s.io"
)

var endpointSlices = discoveryv1.Resource("endpointslices")

var ofEndpoints = []Relation{
	{
		Name: "endpoint-of-living-pod", Of: of(services, names.EndpointSliceController),
		Sentence: "A ready endpoint in an EndpointSlice of the EndpointSlice controller belongs to a Pod that exists and has not " +
			"finished. Endpoints that somebody else writes are left alone.",
		Reference: "https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/#conditions",
		broken:    endpointWithoutPod,
	},
	{
		Name: "endpoint-address-of-pod", Of: of(services, names.EndpointSliceController),
		Sentence:  "The address of an endpoint is an IP address of its Pod, and its node is the one of the Pod.",
		Reference: "https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/#address-types",
		broken:    endpointElsewhere,
	},
	{
		Name: "endpoint-conditions-agree", Of: of(services, names.EndpointSliceController),
		Sentence: "An endpoint that is ready is serving, and is not terminating, unless the Service publishes addresses that are not " +
			"ready.",
		Reference: "https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/#conditions",
		broken:    endpointContradicts,
	},
	{
		Name: "endpoint-listed-once", Of: of(services, names.EndpointSliceController),
		Sentence:  "A Pod is in one EndpointSlice of a Service for each address type.",
		Reference: "https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/#duplicate-endpoints",
		broken:    endpointTwice,
	},
	{
		Name: "endpoints-mirrored", Of: of(corev1.Resource("endpoints"), names.EndpointSliceMirroringController),
		Sentence: "The addresses in the Endpoints of a Service without a selector are those in its mirrored EndpointSlices, unless a " +
			"label excludes the Endpoints, or they have more than 1000 addresses.",
		Reference: "https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/#endpointslice-mirroring",
		broken:    notMirrored,
	},
}

// endpoint is one endpoint of a Service, in a slice that a controller manages.
type endpoint struct {
	*discoveryv1.Endpoint
	slice *discoveryv1.EndpointSlice
	// pod is the one that the endpoint names; nil if that does not exist.
	pod *corev1.Pod
}

// endpointsOf are the endpoints of a Service that name a Pod, in the slices of the EndpointSlice controller.
func (v *View) endpointsOf(service *corev1.Service) []endpoint {
	var all []endpoint
	for _, slice := range v.slicesOf(service.Namespace, service.Name, managedBySlices) {
		for i := range slice.Endpoints {
			e := endpoint{&slice.Endpoints[i], slice, nil}
			if e.TargetRef == nil || e.TargetRef.Kind != "Pod" {
				continue
			}
			object, found := v.Get(pods, service.Namespace, e.TargetRef.Name)
			if found && object.(*corev1.Pod).UID == e.TargetRef.UID {
				e.pod = object.(*corev1.Pod)
			}
			all = append(all, e)
		}
	}
	return all
}

// managed is a Service, and the controller that manages EndpointSlices of it.
type managed struct{ service, manager string }

// slicesOf are the EndpointSlices of a Service that a controller manages.
func (v *View) slicesOf(namespace, service, manager string) []*discoveryv1.EndpointSlice {
	v.ask(endpointSlices)
	by, known := v.slices[namespace]
	if !known {
		by = map[managed][]*discoveryv1.EndpointSlice{}
		for _, object := range v.in(endpointSlices, namespace) {
			slice := object.(*discoveryv1.EndpointSlice)
			if slice.DeletionTimestamp == nil {
				of := managed{slice.Labels[discoveryv1.LabelServiceName], slice.Labels[discoveryv1.LabelManagedBy]}
				by[of] = append(by[of], slice)
			}
		}
		v.slices[namespace] = by
	}
	return by[managed{service, manager}]
}

func endpointWithoutPod(v *View, object runtime.Object) *Breach {
	for _, e := range v.endpointsOf(object.(*corev1.Service)) {
		switch {
		case !isTrue(e.Conditions.Ready):
		case e.pod == nil:
			return broken("EndpointSlice %s lists Pod %s as ready, which does not exist", e.slice.Name, e.TargetRef.Name)
		case pod.IsPodTerminal(e.pod):
			return broken("EndpointSlice %s lists Pod %s as ready, which has finished", e.slice.Name, e.pod.Name)
		}
	}
	return nil
}

func endpointElsewhere(v *View, object runtime.Object) *Breach {
	for _, e := range v.endpointsOf(object.(*corev1.Service)) {
		if e.pod == nil || len(e.Addresses) == 0 {
			continue
		}
		if !slices.ContainsFunc(e.pod.Status.PodIPs, func(ip corev1.PodIP) bool { return ip.IP == e.Addresses[0] }) &&
			e.pod.Status.PodIP != e.Addresses[0] {
			return broken("EndpointSlice %s has the address %s for Pod %s, which has the address %q", e.slice.Name,
				e.Addresses[0], e.pod.Name, e.pod.Status.PodIP)
		}
		if e.NodeName != nil && *e.NodeName != e.pod.Spec.NodeName {
			return broken("EndpointSlice %s says that Pod %s is on node %s, but it is on node %q", e.slice.Name, e.pod.Name,
				*e.NodeName, e.pod.Spec.NodeName)
		}
	}
	return nil
}

func endpointContradicts(v *View, object runtime.Object) *Breach {
	service := object.(*corev1.Service)
	if service.Spec.PublishNotReadyAddresses {
		return nil
	}
	for _, e := range v.endpointsOf(service) {
		c := e.Conditions
		switch {
		case isTrue(c.Ready) && c.Serving != nil && !*c.Serving:
			return broken("the endpoint of Pod %s is ready, but not serving", e.TargetRef.Name)
		case isTrue(c.Ready) && isTrue(c.Terminating):
			return broken("the endpoint of Pod %s is ready, but terminating", e.TargetRef.Name)
		}
	}
	return nil
}

func endpointTwice(v *View, object runtime.Object) *Breach {
	seen := map[string]string{}
	for _, e := range v.endpointsOf(object.(*corev1.Service)) {
		id := string(e.TargetRef.UID) + " " + string(e.slice.AddressType)
		if first, twice := seen[id]; twice {
			return broken("EndpointSlices %s and %s both list Pod %s", first, e.slice.Name, e.TargetRef.Name)
		}
		seen[id] = e.slice.Name
	}
	return nil
}

// mostMirrored is how many addresses the controller mirrors of each subset: its flag --mirroring-max-endpoints-per-subset.
const mostMirrored = 1000

func notMirrored(v *View, object runtime.Object) *Breach {
	endpoints := object.(*corev1.Endpoints)
	found, exists := v.Get(services, endpoints.Namespace, endpoints.Name)
	if !exists || endpoints.DeletionTimestamp != nil || len(found.(*corev1.Service).Spec.Selector) > 0 ||
		endpoints.Labels[discoveryv1.LabelSkipMirror] == "true" || endpoints.Annotations["control-plane.alpha.kubernetes.io/leader"] != "" {
		return nil
	}
	mirrored, all := map[string]bool{}, map[string]bool{}
	for _, slice := range v.slicesOf(endpoints.Namespace, endpoints.Name, managedByMirroring) {
		for _, e := range slice.Endpoints {
			mirrored[e.Addresses[0]] = true
		}
	}
	for _, subset := range endpoints.Subsets {
		for _, address := range slices.Concat(subset.Addresses, subset.NotReadyAddresses) {
			if all[address.IP] = true; len(all) > mostMirrored {
				return nil
			}
			if !mirrored[address.IP] && len(subset.Ports) > 0 {
				return &Breach{Text: "no EndpointSlice has its address " + address.IP}
			}
		}
	}
	for _, slice := range v.slicesOf(endpoints.Namespace, endpoints.Name, managedByMirroring) {
		for _, e := range slice.Endpoints {
			if !all[e.Addresses[0]] {
				return broken("EndpointSlice %s has the address %s, which it does not have", slice.Name, e.Addresses[0])
			}
		}
	}
	return nil
}

func isTrue(b *bool) bool { return b != nil && *b }
