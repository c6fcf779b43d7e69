package controllers

import (
	"slices"
	"strings"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim/exact"
	"github.com/kubestep/kubestep/sim/trace"
)

// openOrder names the controllers whose order of requests Go's random map order decides, with the requests
// in which it shows.
var openOrder = map[string]func(*trace.Request) bool{
	// rollingUpdate (pkg/controller/daemon/update.go) ranges over a map of nodes.
	names.DaemonSetController: func(r *trace.Request) bool { return r.Resource == "pods" },
	// deleteAllContent (pkg/controller/namespace/deletion/namespaced_resources_deleter.go) ranges over a map
	// of resource types.
	names.NamespaceController: func(r *trace.Request) bool { return r.Verb == "deletecollection" },
}

// OpenOrder returns the controllers, sorted, whose order of requests in these records no seed decides. In
// the exact build there are none.
func OpenOrder(records []*trace.Record) []string {
	if exact.Promise() == "exact" {
		return nil
	}
	open := map[string]bool{}
	for _, record := range records {
		if record.Kind != trace.KindRequest {
			continue
		}
		// One replica of several has a suffix: daemonset-controller@2.
		name, _, _ := strings.Cut(record.Actor, "@")
		if shows, ok := openOrder[name]; ok && shows(record.Request) {
			open[name] = true
		}
	}
	var found []string
	for name := range open {
		found = append(found, name)
	}
	slices.Sort(found)
	return found
}
