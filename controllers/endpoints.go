package controllers

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/trace"
)

// sortsEndpoints reports whether a controller puts endpoints into a slice in the order of a map (PopAny in
// k8s.io/endpointslice/util/endpointset.go, and its use in pkg/controller/endpointslicemirroring/reconciler.go).
func sortsEndpoints(actor string) bool {
	name, _ := trace.SplitActor(actor)
	return name == names.EndpointSliceController || name == names.EndpointSliceMirroringController
}

// sortedEndpoints is the transport of such a controller. It sorts the endpoints of the slices that the controller writes
// by their addresses. Which endpoints are in a slice remains the controller's choice.
type sortedEndpoints struct{ apiserver.Transport }

// Do implements apiserver.Transport.
func (s sortedEndpoints) Do(request apiserver.Request) (runtime.Object, error) {
	if slice, ok := request.Object.(*discoveryv1.EndpointSlice); ok && len(slice.Endpoints) > 1 {
		// The object is the controller's own.
		slice = slice.DeepCopy()
		slices.SortStableFunc(slice.Endpoints, func(a, b discoveryv1.Endpoint) int {
			return cmp.Or(slices.Compare(a.Addresses, b.Addresses), cmp.Compare(target(a), target(b)))
		})
		request.Object = slice
	}
	return s.Transport.Do(request)
}

// target is the Pod of an endpoint.
func target(endpoint discoveryv1.Endpoint) string {
	if endpoint.TargetRef == nil {
		return ""
	}
	return endpoint.TargetRef.Name
}
