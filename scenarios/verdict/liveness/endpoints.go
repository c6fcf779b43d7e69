package liveness

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/api/v1/pod"
)

var endpointSlices = Goal{
	Resource: corev1.Resource("services"), Controller: "endpointslice-controller",
	Sentence: "The ready endpoints in the EndpointSlices of a Service are the ready Pods that its selector matches.",
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
		return backends(v, service, listed, "EndpointSlices")
	},
}

var endpoints = Goal{
	Resource: corev1.Resource("services"), Controller: "endpoints-controller",
	Sentence: "The addresses in the Endpoints of a Service are the ready Pods that its selector matches.",
	Upstream: "addEndpointSubset in k8s.io/kubernetes/pkg/controller/endpoint/endpoints_controller.go",
	lack: func(v *view, object runtime.Object) *Lack {
		service := object.(*corev1.Service)
		listed := map[types.UID]bool{}
		if object, found := v.Get(corev1.Resource("endpoints"), service.Namespace, service.Name); found {
			for _, subset := range object.(*corev1.Endpoints).Subsets {
				for _, address := range subset.Addresses {
					if address.TargetRef != nil {
						listed[address.TargetRef.UID] = true
					}
				}
			}
		}
		return backends(v, service, listed, "Endpoints")
	},
}

// backends compares the Pods that are listed as ready with those that are.
func backends(v *view, service *corev1.Service, listed map[types.UID]bool, where string) *Lack {
	if len(service.Spec.Selector) == 0 || service.Spec.Type == corev1.ServiceTypeExternalName ||
		service.Spec.PublishNotReadyAddresses || service.DeletionTimestamp != nil {
		return nil
	}
	selector := labels.SelectorFromSet(service.Spec.Selector)
	left := len(listed)
	for _, p := range v.podsIn(service.Namespace) {
		ready := selector.Matches(labels.Set(p.Labels)) && p.DeletionTimestamp == nil && p.Status.PodIP != "" &&
			pod.IsPodReady(p) && !pod.IsPodTerminal(p)
		switch {
		case ready && !listed[p.UID]:
			return &Lack{Missing: fmt.Sprintf("Pod %s is Ready, but its %s do not list it as ready", p.Name, where)}
		case !ready && listed[p.UID]:
			return &Lack{Missing: fmt.Sprintf("its %s list Pod %s as ready, but it is not", where, p.Name)}
		case ready:
			left--
		}
	}
	if left > 0 {
		return &Lack{Missing: fmt.Sprintf("its %s list %d Pods as ready that do not exist", where, left)}
	}
	return nil
}
