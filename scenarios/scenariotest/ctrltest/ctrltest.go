// Package ctrltest runs operators that use controller-runtime in scenarios:
//
//	scenariotest.Run(t, "testdata/expose.yaml", ctrltest.Operator("expose-operator", operator.Run))
//
// It is a module of its own, so that kubestep does not depend on controller-runtime. The trace shows each reconciliation with
// what caused it, what it read from the cache and what it wrote, also with controller-runtime's own priority queue.
package ctrltest

import (
	"context"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// Run is the function of an operator that makes a manager with these options, adds its controllers, and starts it. It
// returns when ctx ends.
type Run func(ctx context.Context, cluster *rest.Config, options ctrl.Options) error

// Operator runs an operator beside kube-controller-manager. In the trace it goes by its name.
func Operator(name string, run Run) scenariotest.Option {
	return scenariotest.Controller(name, func(ctx context.Context, clients controllers.Clients) error {
		cluster, err := clients.Config()
		if err != nil {
			return err
		}
		return run(ctx, cluster, Options(ctx, clients))
	})
}

// Manager is the manager of an operator whose main function cannot be called. Its Run is a Run for Operator:
//
//	ctrltest.Operator("mine", ctrltest.Manager{Kinds: []ctrltest.AddToScheme{v1.AddToScheme}, Setup: setup}.Run)
type Manager struct {
	// Kinds add kinds to the scheme, in addition to those of client-go.
	Kinds []AddToScheme
	// Setup adds the controllers, indexes and webhooks.
	Setup func(ctrl.Manager) error
	// Lists lets the caches list, and then watch; see the function of that name.
	Lists bool
}

// AddToScheme adds kinds to a scheme, as the function of that name of a package of types does.
type AddToScheme = func(*runtime.Scheme) error

// Run runs the operator until ctx ends.
func (m Manager) Run(ctx context.Context, cluster *rest.Config, options ctrl.Options) error {
	options.Scheme = runtime.NewScheme()
	for _, add := range append([]AddToScheme{clientscheme.AddToScheme}, m.Kinds...) {
		if err := add(options.Scheme); err != nil {
			return err
		}
	}
	if m.Lists {
		Lists(&options)
	}
	manager, err := ctrl.NewManager(cluster, options)
	if err != nil {
		return err
	}
	if err := m.Setup(manager); err != nil {
		return err
	}
	return manager.Start(ctx)
}

// Options are the options of a manager in a simulation. An operator may set more of them, such as Scheme. Those that are
// set here have reasons:
//
//   - Logger: the trace shows what the operator logs, and learns from it when a reconciliation begins and ends.
//   - Cache.NewInformer: the trace shows what a reconciliation reads, and the caches list in an order that the seed decides.
//   - Metrics and HealthProbeBindAddress: a server that waits for a network holds up virtual time.
//   - WebhookServer: the API server calls its webhooks without a network, too.
//   - Controller.SkipNameValidation: a process may run the operator more than once.
func Options(ctx context.Context, clients controllers.Clients) ctrl.Options {
	skip := true
	return ctrl.Options{
		Logger:                 klog.FromContext(ctx),
		Cache:                  cache.Options{NewInformer: clients.NewInformer},
		Metrics:                server.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
		WebhookServer:          &webhookServer{mux: http.NewServeMux(), serve: clients.ServeWebhooks},
		Controller:             config.Controller{SkipNameValidation: &skip},
	}
}

// Lists lets the caches of a manager list, and then watch, as all did before client-go streamed lists (WatchListClient). Such a
// list may be stale: an API server answers it from its watch cache, which may be behind. A streamed list never is.
func Lists(options *ctrl.Options) {
	informer := options.Cache.NewInformer
	options.Cache.NewInformer = func(
		lw toolscache.ListerWatcher, obj runtime.Object, resync time.Duration, indexers toolscache.Indexers,
	) toolscache.SharedIndexInformer {
		return informer(lists{lw}, obj, resync, indexers)
	}
}

// lists is what upstream's tests use for clients that cannot stream; see k8s.io/client-go/util/watchlist.
type lists struct{ toolscache.ListerWatcher }

func (lists) IsWatchListSemanticsUnSupported() bool { return true }
