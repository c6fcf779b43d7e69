// Package controlplane makes what kube-apiserver makes when it starts (k8s.io/kubernetes/pkg/controlplane): the system
// namespaces, the system PriorityClasses, the ServiceCIDR kubernetes, and the Service default/kubernetes with its
// Endpoints and EndpointSlice. If the API server asks for roles, also upstream's bootstrap policy. If it serves APIServices, it registers
// the groups of the API server and of CustomResourceDefinitions, and looks after the conditions of all.
//
// A real API server does this with loops that run for as long as it does, each with an informer of its own. Here the
// objects exist at once, and the loops for the ServiceCIDR and the Service run when something that they own has changed,
// at the times at which the real ones would look: every ten seconds.
package controlplane
