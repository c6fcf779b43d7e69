package controllers

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"time"

	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/pkg/controller/apis/config"

	controllersmetrics "k8s.io/component-base/metrics/prometheus/controllers"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/activity"
	"github.com/kubestep/kubestep/sim/informer"
)

// startStagger spreads the start of the controllers over real managers' start-up time, so that their
// periodic loops do not tick at one instant for ever.
const startStagger = time.Millisecond

// Options configure the controllers of a world.
type Options struct {
	// Controllers is a --controllers list; nil means Workload.
	Controllers []string
	// Config is the component configuration, from NewConfig.
	Config *config.KubeControllerManagerConfiguration
	// Verbosity is the level up to which the controllers' log lines are kept.
	Verbosity int
}

// Host is a running kube-controller-manager.
type Host struct {
	sim     *sim.Simulation
	options Options
	process *process

	mu    sync.Mutex
	err   error
	names []string
}

// Start builds and starts the controllers on a goroutine of the simulation. What goes wrong stops the
// world and is told by Err.
func Start(s *sim.Simulation, options Options) (*Host, error) {
	h, err := newHost(newProcess(s, ManagerName, ""), options)
	if err == nil {
		h.start(h.run)
	}
	return h, err
}

// newHost prepares a kube-controller-manager that is a process of its own.
func newHost(p *process, options Options) (*Host, error) {
	if options.Controllers == nil {
		options.Controllers = Workload
	}
	resolved, err := Resolve(options.Controllers)
	if err != nil {
		return nil, err
	}
	options.Controllers = resolved
	options.Config.Generic.Controllers = resolved
	return &Host{sim: p.sim, options: options, process: p}, nil
}

// start calls run on a goroutine of the process.
func (h *Host) start(run func(context.Context) error) {
	logger := h.sim.Observer.Logger(h.options.Verbosity)
	klog.SetLogger(logger)
	h.sim.Observer.ReadError = readError
	h.sim.Observer.Traits = queueTraits
	h.sim.Go(h.process.name, func(context.Context) {
		if err := run(klog.NewContext(h.process.ctx, logger)); err != nil {
			h.fail(err)
		}
	})
}

// Err is why the controllers could not be started, or nil.
func (h *Host) Err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err
}

// Names lists the controllers that run, sorted.
func (h *Host) Names() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.names
}

func (h *Host) fail(err error) {
	h.mu.Lock()
	h.err = err
	h.mu.Unlock()
	h.sim.Engine.At(time.Now(), "controllers|failed", h.sim.Engine.Stop)
}

// run is the body of upstream's Run: context, build, informers, controllers.
func (h *Host) run(ctx context.Context) error {
	controllerContext, err := h.newContext(ctx)
	if err != nil {
		return err
	}
	built, err := h.build(ctx, controllerContext)
	if err != nil {
		return err
	}
	controllerContext.InformerFactory.StartWithContext(ctx)
	defer controllerContext.InformerFactory.Shutdown()
	controllerContext.ObjectOrMetadataInformerFactory.Start(ctx.Done())
	close(controllerContext.InformersStarted)
	if len(built) == 0 {
		<-ctx.Done()
		return nil
	}
	// The jitter between starts would come from the global random source; tagged.Run staggers instead.
	const jitter, noTimeout = 0, 0
	app.RunControllers(ctx, controllerContext, built, jitter, noTimeout)
	return nil
}

// build calls the constructors of all enabled controllers, sorted by name.
func (h *Host) build(ctx context.Context, controllerContext app.ControllerContext) ([]app.Controller, error) {
	descriptors := app.NewControllerDescriptors()
	names := make([]string, 0, len(descriptors))
	for name, descriptor := range descriptors {
		if !descriptor.RequiresSpecialHandling() && controllerContext.IsControllerEnabled(descriptor) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	forgetMetrics()
	var built []app.Controller
	var running []string
	own := h.sim.Activities.Current()
	defer h.sim.Activities.Enter(own)
	for _, name := range names {
		tag := &activity.Activity{Actor: h.process.actor(name)}
		h.sim.Activities.Enter(tag)
		controller, err := descriptors[name].BuildController(ctx, controllerContext)
		if err != nil {
			return nil, fmt.Errorf("building %s: %w", name, err)
		}
		if controller == nil {
			continue
		}
		built = append(built, &tagged{Controller: controller, host: h, tag: tag})
		running = append(running, name)
	}
	h.mu.Lock()
	h.names = running
	h.mu.Unlock()
	return built, nil
}

// tagged is a controller whose goroutines carry its name.
type tagged struct {
	app.Controller
	host *Host
	tag  *activity.Activity
}

// Run implements app.Controller.
func (t *tagged) Run(ctx context.Context) {
	t.host.sim.Activities.Enter(t.tag)
	stagger := t.host.stagger(t.Name())
	select {
	case <-ctx.Done():
		return
	case <-time.After(stagger):
	}
	t.Controller.Run(ctx)
}

// newContext is upstream's CreateControllerContext with the simulation in the place of a cluster.
func (h *Host) newContext(ctx context.Context) (app.ControllerContext, error) {
	clients := h.process.clients(h.options.Config.Generic.ClientConnection)
	for name, factor := range limitFactors {
		h.sim.Limit(h.process.actor(name), factor.qps, factor.burst)
	}
	resync := h.resync("shared-informers")
	informers := informer.NewFactory(informer.Options{
		Client: clients.ClientOrDie(sim.InformerActor), Seed: h.sim.Seed(), Resync: resync,
		Observe: h.sim.Observer.Read,
		Enter:   func() { h.sim.Activities.Enter(&activity.Activity{Actor: h.process.actor(sim.InformerActor)}) },
	})
	mapper, err := newMapper(ctx, clients)
	if err != nil {
		return app.ControllerContext{}, err
	}
	metadataClient, err := newMetadataClient(clients)
	if err != nil {
		return app.ControllerContext{}, err
	}
	out := app.ControllerContext{
		ClientBuilder:   clients,
		InformerFactory: informers,
		ObjectOrMetadataInformerFactory: informerfactory.NewInformerFactory(informers,
			newMetadataInformers(metadataClient, resync)),
		ComponentConfig:          *h.options.Config,
		RESTMapper:               mapper,
		InformersStarted:         make(chan struct{}),
		ResyncPeriod:             func() time.Duration { return resync },
		ControllerManagerMetrics: controllersmetrics.NewControllerManagerMetrics("kube-controller-manager"),
	}
	h.addGraph(ctx, &out, metadataClient)
	return out, nil
}
