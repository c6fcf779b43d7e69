package controllers

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

// openOrder names the controllers whose order of requests Go's random map order decides, and the resource
// that must be written for it to show. The DaemonSet controller ranges over a map of nodes in
// pkg/controller/daemon/update.go (rollingUpdate).
var openOrder = map[string]schema.GroupResource{
	names.DaemonSetController: {Group: "apps", Resource: "daemonsets"},
}

// OpenOrder returns those of the running controllers, sorted, whose order no seed decides in a world in
// which the resources for which written is true were written.
func OpenOrder(running []string, written func(schema.GroupResource) bool) []string {
	var open []string
	for _, name := range running {
		if resource, ok := openOrder[name]; ok && written(resource) {
			open = append(open, name)
		}
	}
	slices.Sort(open)
	return open
}
