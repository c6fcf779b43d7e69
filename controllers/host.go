package controllers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/controller-manager/pkg/clientbuilder"
	"k8s.io/controller-manager/pkg/healthz"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/controller/apis/config"

	controllersmetrics "k8s.io/component-base/metrics/prometheus/controllers"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/activity"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/informer"
	"github.com/kubestep/kubestep/sim/trace"
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
	ca      certificateAuthority
	clients clientbuilder.ControllerClientBuilder

	mu    sync.Mutex
	err   error
	names []string
}

// Start builds and starts the controllers on a goroutine of the simulation. What goes wrong stops the
// world and is told by Err.
func Start(s *sim.Simulation, options Options) (*Host, error) {
	h, err := newHost(newProcess(s, ManagerName, ""), options)
	if err == nil {
		listen(s, options.Verbosity)
		h.start(h.run)
	}
	return h, err
}

// listen makes the world's observer hear what controllers log. It is called before the first of them runs: upstream's
// logger is a variable of the whole program.
func listen(s *sim.Simulation, verbosity int) {
	klog.SetLogger(s.Observer.Logger(verbosity))
	s.Observer.ReadError = readError
	s.Observer.Traits = queueTraits
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
	h.sim.Go(h.process.name, func(context.Context) {
		err := h.prepare()
		if err == nil {
			err = run(klog.NewContext(h.process.ctx, logger))
		}
		if err != nil {
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
	h.sim.Engine.After(0, "controllers|failed", h.sim.Engine.Stop)
}

// prepare is the part of upstream's Run (cmd/kube-controller-manager/app/controllermanager.go) that comes before
// the leader election. Not here are the server for metrics and health, and configz, which knows one manager
// per process.
func (h *Host) prepare() (err error) {
	h.process.reached(stageOptions, "controllers="+strings.Join(h.options.Controllers, ","))
	h.process.reached(stageRun, "version="+KubernetesVersion)
	if h.ca, err = newCertificateAuthority(h.sim.Seed(), h.sim.Engine.Date()); err != nil {
		return err
	}
	h.clients = h.newClients()
	return nil
}

// run is what upstream's Run calls when nobody is elected, or when this process is: its own function run.
func (h *Host) run(ctx context.Context) error {
	controllerContext, err := h.newContext(ctx, h.clients)
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
	h.process.reached(stageInformers)
	if len(built) == 0 {
		<-ctx.Done()
		return nil
	}
	synced := make(chan struct{})
	go func() {
		defer close(synced)
		if controllerContext.InformerFactory.WaitForCacheSyncWithContext(ctx).Err == nil {
			h.process.reached(stageSynced)
		}
	}()
	// RunControllers sleeps for a random time before each controller. All its goroutines do so under the
	// manager's name and would draw the same, so tagged.Run sleeps instead.
	atOnce := controllerContext
	atOnce.ComponentConfig.Generic.ControllerStartInterval.Duration = 0
	const noTimeout = 0
	app.RunControllers(ctx, atOnce, built, app.ControllerStartJitter, noTimeout)
	<-synced
	return nil
}

// newClients is upstream's createClientBuilders. The simulation asks nobody for credentials, so one builder
// serves as the root's and as the controllers', and useServiceAccountCredentials changes nothing.
func (h *Host) newClients() clientbuilder.ControllerClientBuilder {
	clients := h.process.clients(h.options.Config.Generic.ClientConnection)
	clients.rootCA = h.ca.certificate
	for name, factor := range limitFactors {
		h.sim.Limit(h.process.actor(name), factor.qps, factor.burst)
	}
	h.process.reached(stageClients)
	return clients
}

// build builds all enabled controllers. Each constructor runs under its controller's name, which is what its
// clients and queues are then known by.
func (h *Host) build(ctx context.Context, c app.ControllerContext) ([]app.Controller, error) {
	descriptors := app.NewControllerDescriptors()
	enabled := enabledControllers(c, descriptors)
	h.process.reached(stageList, fmt.Sprintf("enabled=%d", len(enabled)), fmt.Sprintf("known=%d", len(descriptors)))
	forgetMetrics()
	var built []app.Controller
	var running []string
	own := h.sim.Activities.Current()
	defer h.sim.Activities.Enter(own)
	for _, name := range enabled {
		tag := &activity.Activity{Actor: h.process.actor(name)}
		h.sim.Activities.Enter(tag)
		controller, err := h.buildOne(ctx, c, descriptors[name])
		if err != nil {
			return nil, fmt.Errorf("building %s: %w", name, err)
		}
		if controller == nil {
			continue
		}
		h.process.reached(stageBuilt, "controller="+name)
		built = append(built, &tagged{Controller: controller, host: h, tag: tag})
		running = append(running, name)
	}
	slices.Sort(running)
	h.mu.Lock()
	h.names = running
	h.mu.Unlock()
	return built, nil
}

// enabledControllers are the names of the controllers that --controllers switches on, in the order in which
// they are built: the token controller first, as upstream does, because in a cluster the others need
// its tokens; then sorted. Upstream takes the others in the order of a Go map, which differs from start to
// start. It also builds the token controller whatever --controllers says, if it is given a key.
func enabledControllers(c app.ControllerContext, descriptors map[string]*app.ControllerDescriptor) []string {
	var enabled []string
	for name, descriptor := range descriptors {
		if name != names.ServiceAccountTokenController && c.IsControllerEnabled(descriptor) {
			enabled = append(enabled, name)
		}
	}
	slices.Sort(enabled)
	if c.IsControllerEnabled(descriptors[names.ServiceAccountTokenController]) {
		enabled = slices.Insert(enabled, 0, names.ServiceAccountTokenController)
	}
	return enabled
}

// buildOne builds a controller, or returns nil if its constructor says that it is not to run. It is upstream's
// BuildControllers with one descriptor at a time; two controllers want the files of keys, and are built
// from parts of upstream.
func (h *Host) buildOne(ctx context.Context, c app.ControllerContext, d *app.ControllerDescriptor) (app.Controller, error) {
	named := klog.NewContext(ctx, klog.LoggerWithName(klog.FromContext(ctx), d.Name()))
	switch d.Name() {
	case names.ServiceAccountTokenController:
		return h.newTokenController(named, c)
	case names.CertificateSigningRequestSigningController:
		return h.newSigningController(named, c)
	}
	built, err := app.BuildControllers(ctx, c, map[string]*app.ControllerDescriptor{d.Name(): d}, nil, healthz.NewMutableHealthzHandler())
	if err != nil || len(built) == 0 {
		return nil, err
	}
	return built[0], nil
}

// tagged is a controller whose goroutines carry its name.
type tagged struct {
	app.Controller
	host *Host
	tag  *activity.Activity
}

// Run implements app.Controller. It sleeps as RunControllers would, for the ControllerStartInterval and up to
// once more of it, a factor that wait.Jitter draws from the seed and the controller's name. That is nothing
// by default.
func (t *tagged) Run(ctx context.Context) {
	t.host.sim.Activities.Enter(t.tag)
	after := t.host.stagger(t.Name())
	if interval := t.host.options.Config.Generic.ControllerStartInterval.Duration; interval > 0 {
		after += wait.Jitter(interval, app.ControllerStartJitter)
	}
	if !engine.Sleep(ctx, after) {
		return
	}
	t.host.process.started(t.Name(), "after="+after.String())
	t.Controller.Run(ctx)
}

// newContext is upstream's CreateControllerContext with the simulation in the place of a cluster. Upstream's
// own is not called: its informers list in the order of Go maps and hold watch-lists, and it registers
// names that a process can have only once, so a world could not have two managers.
func (h *Host) newContext(ctx context.Context, clients clientbuilder.ControllerClientBuilder) (app.ControllerContext, error) {
	resync := h.resync("shared-informers")
	informers := informer.NewFactory(informer.Options{
		Client: clients.ClientOrDie(trace.InformerActor), Seed: h.sim.Seed(), Resync: resync,
		Observe: h.sim.Observer.Read,
		Enter:   h.process.entersInformer(h.process.actor(trace.InformerActor)),
	})
	metadataClient, err := newMetadataClient(clients)
	if err != nil {
		return app.ControllerContext{}, err
	}
	if err := h.waitForAPIServer(clients); err != nil {
		return app.ControllerContext{}, err
	}
	mapper, err := newMapper(ctx, clients)
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
		ControllerManagerMetrics: controllersmetrics.NewControllerManagerMetrics(ManagerName),
	}
	h.addGraph(ctx, &out, metadataClient)
	h.process.reached(stageContext)
	return out, nil
}
