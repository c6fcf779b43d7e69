//go:build !kubernetes_before_1_37

package clusterip

import (
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/proxy"
)

// Endpoints is the registry of Endpoints. That of Services leaves it alone: controllers delete the Endpoints of a Service.
type Endpoints = rest.Storage

// backends has no EndpointSlices: upstream reads them to find a Pod for a proxied request, and there is no proxy.
func backends(Endpoints) proxy.EndpointSliceGetter { return nil }
