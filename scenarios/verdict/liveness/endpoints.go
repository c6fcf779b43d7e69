package liveness

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/utils/net"
)

var endpointSlices = Goal{
	Resource: corev1.Resource("services"), Controller: "endpointslice-controller",
	Sentence: "The ready endpoints in the EndpointSlices of a Service are the ready Pods that its selector matches and that have an " +
		"address of one of its IP families.",
	Upstream: "podToEndpoint in k8s.io/endpointslice/utils.go",
	lack: func(v *view, object runtime.Object) *Lack {
		service := object.(*corev1.Service)
		listed := map[types.UID]bool{}
		for _, object := range v.List(discoveryv1.Resource("endpointslices"), service.Namespace) {
			slice := object.(*discoveryv1.EndpointSlice)
			if slice.Labels[discoveryv1.LabelServiceName] != service.Name ||
				slice.Labels[discoveryv1.LabelManagedBy] != "endpointslice-controller.k8s.io" {
				continue
			}
			for _, e := range slice.Endpoints {
				if e.TargetRef != nil && e.Conditions.Ready != nil && *e.Conditions.Ready {
					listed[e.TargetRef.UID] = true
				}
			}
		}
		return backends{service, "EndpointSlices", service.Spec.IPFamilies, false}.compare(v, listed)
	},
}

var endpoints = Goal{
	Resource: corev1.Resource("services"), Controller: "endpoints-controller",
	Sentence: "The addresses in the Endpoints of a Service are the ready Pods that its selector matches and that have an address of " +
		"its first IP family, or at most 1000 of them.",
	Upstream: "addEndpointSubset in k8s.io/kubernetes/pkg/controller/endpoint/endpoints_controller.go",
	lack: func(v *view, object runtime.Object) *Lack {
		service := object.(*corev1.Service)
		listed, truncated := map[types.UID]bool{}, false
		if object, found := v.Get(corev1.Resource("endpoints"), service.Namespace, service.Name); found {
			truncated = object.(*corev1.Endpoints).Annotations[corev1.EndpointsOverCapacity] == "truncated"
			for _, subset := range object.(*corev1.Endpoints).Subsets {
				for _, address := range subset.Addresses {
					if address.TargetRef != nil {
						listed[address.TargetRef.UID] = true
					}
				}
			}
		}
		families := service.Spec.IPFamilies
		return backends{service, "Endpoints", families[:min(1, len(families))], truncated}.compare(v, listed)
	},
}

// backends are the Pods of a Service, which are listed somewhere with an address of one of these families; empty means any. If the list
// is truncated, it may lack some.
type backends struct {
	service   *corev1.Service
	where     string
	families  []corev1.IPFamily
	truncated bool
}

// compare compares the Pods that are listed as ready with those that are.
func (b backends) compare(v *view, listed map[types.UID]bool) *Lack {
	service := b.service
	if len(service.Spec.Selector) == 0 || service.Spec.Type == corev1.ServiceTypeExternalName ||
		service.Spec.PublishNotReadyAddresses || service.DeletionTimestamp != nil {
		return nil
	}
	selector := labels.SelectorFromSet(service.Spec.Selector)
	left := len(listed)
	for _, p := range v.podsIn(service.Namespace) {
		ready := selector.Matches(labels.Set(p.Labels)) && p.DeletionTimestamp == nil && b.reaches(p) &&
			pod.IsPodReady(p) && !pod.IsPodTerminal(p)
		switch {
		case ready && !listed[p.UID] && !b.truncated:
			return &Lack{Missing: fmt.Sprintf("Pod %s is Ready, but its %s do not list it as ready", p.Name, b.where)}
		case !ready && listed[p.UID]:
			return &Lack{Missing: fmt.Sprintf("its %s list Pod %s as ready, but it is not", b.where, p.Name)}
		case ready && listed[p.UID]:
			left--
		}
	}
	if left > 0 {
		return &Lack{Missing: fmt.Sprintf("its %s list %d Pods as ready that do not exist", b.where, left)}
	}
	return nil
}

// reaches reports whether a Pod has an address of one of the families.
func (b backends) reaches(p *corev1.Pod) bool {
	addresses := append([]corev1.PodIP{{IP: p.Status.PodIP}}, p.Status.PodIPs...)
	return slices.ContainsFunc(addresses, func(address corev1.PodIP) bool {
		family := corev1.IPv4Protocol
		if net.IsIPv6String(address.IP) {
			family = corev1.IPv6Protocol
		}
		return address.IP != "" && (len(b.families) == 0 || slices.Contains(b.families, family))
	})
}
