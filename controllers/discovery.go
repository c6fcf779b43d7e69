package controllers

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/restmapper"
	genericapp "k8s.io/controller-manager/app"
	"k8s.io/controller-manager/pkg/clientbuilder"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"

	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/trace"
)

// healthTimeout is how long upstream's manager waits for an API server that starts at the same time.
const healthTimeout = 10 * time.Second

// waitForAPIServer checks the API server's health, as upstream does before discovery. The client must use HTTP: health
// has no typed API.
func (m *manager) waitForAPIServer(clients clientbuilder.ControllerClientBuilder) error {
	config, err := clients.Config(trace.InformerActor)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("client for the API server's health: %w", err)
	}
	if err := genericapp.WaitForAPIServer(client, healthTimeout); err != nil {
		return fmt.Errorf("failed to wait for apiserver being healthy: %w", err)
	}
	m.process.reached(stageHealthy)
	return nil
}

// mapperReset is how often upstream's manager resets its discovery cache (CreateControllerContext).
const mapperReset = 30 * time.Second

// newMapper is upstream's RESTMapper over a discovery client of the simulation. As resources never change, it need not reset.
func newMapper(ctx context.Context, clients clientbuilder.ControllerClientBuilder, reset bool) (
	*restmapper.DeferredDiscoveryRESTMapper, error) {
	discovery, err := clients.DiscoveryClient("controller-discovery")
	if err != nil {
		return nil, err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discovery))
	if reset {
		go wait.UntilWithContext(ctx, func(context.Context) { mapper.Reset() }, mapperReset)
	}
	return mapper, nil
}

// listedMetadata is a metadata client whose informers list and then watch, as all others here do. With watch-list,
// client-go passes the first objects of a cache to its handlers in the order of a Go map.
type listedMetadata struct{ metadata.Interface }

// IsWatchListSemanticsUnSupported is called by reflectors (client-go, util/watchlist).
func (listedMetadata) IsWatchListSemanticsUnSupported() bool { return true }

func newMetadataClient(clients clientbuilder.ControllerClientBuilder) (metadata.Interface, error) {
	config, err := clients.Config(trace.MetadataActor)
	if err != nil {
		return nil, err
	}
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("metadata client: %w", err)
	}
	return listedMetadata{client}, nil
}

func newMetadataInformers(client metadata.Interface, resync time.Duration) metadatainformer.SharedInformerFactory {
	return metadatainformer.NewSharedInformerFactoryWithOptions(client, resync, metadatainformer.WithTransform(dropManagedFields))
}

// dropManagedFields saves memory, as kube-controller-manager's own informers do.
func dropManagedFields(obj any) (any, error) {
	if accessor, err := meta.Accessor(obj); err == nil && accessor.GetManagedFields() != nil {
		accessor.SetManagedFields(nil)
	}
	return obj, nil
}

// addGraph builds the graph of owners and dependents if the garbage collector is enabled. It belongs to the context
// because another controller may share it.
func (m *manager) addGraph(ctx context.Context, c *app.ControllerContext, client metadata.Interface) {
	collector := c.ComponentConfig.GarbageCollectorController
	if !collector.EnableGarbageCollector || !IsEnabled(m.options.Controllers, names.GarbageCollectorController) {
		return
	}
	ignored := map[schema.GroupResource]struct{}{}
	for _, r := range collector.GCIgnoredResources {
		ignored[schema.GroupResource{Group: r.Group, Resource: r.Resource}] = struct{}{}
	}
	own := m.sim.Activities.Current()
	defer m.sim.Activities.Enter(own)
	m.sim.Activities.Enter(&activity.Activity{Actor: m.process.actor(names.GarbageCollectorController)})
	c.GraphBuilder = garbagecollector.NewDependencyGraphBuilder(ctx, client, c.RESTMapper, ignored,
		c.ObjectOrMetadataInformerFactory, c.InformersStarted)
}
