package core

import (
	"context"
	"slices"
	"strings"
	"sync"

	metainternal "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/runtime"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/probe"
	"k8s.io/kubernetes/pkg/registry/core/componentstatus"
)

// components serves ComponentStatuses. The components that kube-apiserver asks, at addresses of its own machine, are parts of the
// simulation: they answer.
type components struct{ *componentstatus.REST }

// newComponents makes the storage once in a process: it has no state, and its columns are those of all kinds.
var newComponents = sync.OnceValue(func() *components {
	return &components{componentstatus.NewStorage(func() map[string]componentstatus.Server {
		return map[string]componentstatus.Server{"controller-manager": healthy{}, "scheduler": healthy{}, "etcd-0": healthy{}}
	})}
})

// List implements rest.Lister. Upstream lists the components in the order in which they answer.
func (c *components) List(ctx context.Context, options *metainternal.ListOptions) (runtime.Object, error) {
	found, err := c.REST.List(ctx, options)
	if list, ok := found.(*api.ComponentStatusList); ok {
		slices.SortFunc(list.Items, func(a, b api.ComponentStatus) int { return strings.Compare(a.Name, b.Name) })
	}
	return found, err
}

// healthy is a component that answers.
type healthy struct{}

// DoServerCheck implements componentstatus.Server.
func (healthy) DoServerCheck() (probe.Result, string, error) { return probe.Success, "ok", nil }
