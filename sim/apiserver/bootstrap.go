package apiserver

import (
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	schedulinghelpers "k8s.io/kubernetes/pkg/apis/scheduling/v1"
)

// systemNamespaces exist in every cluster.
var systemNamespaces = []string{
	metav1.NamespaceDefault, corev1.NamespaceNodeLease, metav1.NamespacePublic, metav1.NamespaceSystem,
}

// Bootstrap lists the requests with which kube-apiserver fills an empty store when it starts: its namespaces, and the
// PriorityClasses system-node-critical and system-cluster-critical.
func Bootstrap() []Request {
	var requests []Request
	create := func(resource Request) {
		resource.Actor, resource.Verb = Self, "create"
		requests = append(requests, resource)
	}
	for _, name := range systemNamespaces {
		create(Request{
			Resource: corev1.SchemeGroupVersion.WithResource("namespaces"),
			Object:   &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}},
		})
	}
	for _, class := range schedulinghelpers.SystemPriorityClasses() {
		create(Request{Resource: schedulingv1.SchemeGroupVersion.WithResource("priorityclasses"), Object: class})
	}
	return requests
}

// Self is the actor of what the server does itself.
const Self = "system:apiserver"
