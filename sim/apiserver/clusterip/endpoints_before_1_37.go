//go:build kubernetes_before_1_37

package clusterip

import servicestore "k8s.io/kubernetes/pkg/registry/core/service/storage"

// Endpoints is the registry of Endpoints. That of Services deletes the Endpoints of a Service with it.
type Endpoints = servicestore.EndpointsStorage

func backends(of Endpoints) Endpoints { return of }
