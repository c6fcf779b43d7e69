// Package controlplane makes what kube-apiserver makes when it starts (k8s.io/kubernetes/pkg/controlplane): the system
// namespaces, the system PriorityClasses, the ServiceCIDR kubernetes, and the Service default/kubernetes with its
// Endpoints and EndpointSlice. If the
// API server asks for roles, also upstream's bootstrap policy.
//
// A real API server does this with loops that run for as long as it does, each with an informer of its own. Here the
// objects exist at once, and the loop for the Service runs when something that it owns has changed, at the times at
// which the real one would look: every ten seconds.
package controlplane
