package controllers

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

// Workload are the default controllers of a scenario: those that create pods and endpoints for a user's workloads.
var Workload = []string{
	names.DaemonSetController, names.DeploymentController, names.EndpointSliceController,
	names.JobController, names.ReplicaSetController, names.StatefulSetController,
}

// Descriptor describes a controller of kube-controller-manager.
type Descriptor struct {
	Name    string
	Aliases []string
	// Default reports whether --controllers=* runs it.
	Default bool
	// Cloud marks controllers that need a cloud provider and were moved out of the manager.
	Cloud        bool
	FeatureGates []featuregate.Feature
}

// Descriptors lists all controllers of kube-controller-manager, sorted by name. The list must not be modified.
var Descriptors = sync.OnceValue(func() []Descriptor {
	var all []Descriptor
	for _, d := range app.NewControllerDescriptors() {
		all = append(all, Descriptor{
			Name: d.Name(), Aliases: d.GetAliases(), Default: !d.IsDisabledByDefault(),
			Cloud: isCloud(d), FeatureGates: d.GetRequiredFeatureGates(),
		})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
})

// Resolve replaces aliases in a --controllers list by canonical names, as upstream does: "*", "foo" and "-foo". An
// unknown name is an *UnknownError.
func Resolve(list []string) ([]string, error) {
	out := make([]string, 0, len(list))
	for i, entry := range list {
		name := strings.TrimPrefix(entry, "-")
		prefix := entry[:len(entry)-len(name)]
		if canonical, ok := known().aliases[name]; ok {
			name = canonical
		}
		if name != "*" && !known().names.Has(name) {
			return nil, &UnknownError{Name: entry, Index: i}
		}
		out = append(out, prefix+name)
	}
	return out, nil
}

// UnknownError is an unknown name in a --controllers list.
type UnknownError struct {
	Name string
	// Index is its index in the list.
	Index int
}

// Error implements error.
func (e *UnknownError) Error() string { return fmt.Sprintf("unknown controller %q", e.Name) }

// Names lists the canonical names and the aliases of all controllers, sorted.
func Names() []string {
	var names []string
	for _, d := range Descriptors() {
		names = append(names, d.Name)
		names = append(names, d.Aliases...)
	}
	sort.Strings(names)
	return names
}
