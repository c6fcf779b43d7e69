package controllers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	controllersmetrics "k8s.io/component-base/metrics/prometheus/controllers"
	"k8s.io/controller-manager/pkg/clientbuilder"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver/keys"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/observe/informer"
	"github.com/kubestep/kubestep/sim/process/logging"
	"github.com/kubestep/kubestep/sim/trace"
)

// listen records what controllers log. Call it before the first of them runs.
func listen(s *sim.Simulation, verbosity int) {
	logging.To(s.Observer.Logger(verbosity).GetSink())
	s.Observer.ReadError = readError
	s.Observer.Traits = queueTraits
}

// start calls run on a goroutine of the process.
func (m *manager) start(run func(context.Context) error) {
	logger := m.sim.Observer.Logger(m.options.Verbosity)
	m.sim.Go(m.process.name, func(context.Context) {
		err := m.prepare()
		if err == nil {
			err = run(klog.NewContext(m.process.ctx, logger))
		}
		if err != nil {
			m.fail(err)
		}
	})
}

// prepare is the part of upstream's Run (cmd/kube-controller-manager/app/controllermanager.go) before the leader
// election. It omits the server for metrics and health, and configz, which supports one manager per process.
func (m *manager) prepare() (err error) {
	m.process.reached(stageOptions, "controllers="+strings.Join(m.options.Controllers, ","))
	m.process.reached(stageRun, "version="+KubernetesVersion)
	// The files of the authority are older than this process, which may have been restarted.
	if m.ca, err = keys.NewCertificateAuthority(m.sim.FirstSeed(), m.sim.Began()); err != nil {
		return err
	}
	m.clients = m.newClients()
	return nil
}

// run is what upstream's Run calls without an election, or when this process is elected: its own function run.
func (m *manager) run(ctx context.Context) error {
	controllerContext, err := m.newContext(ctx, m.clients)
	if err != nil {
		return err
	}
	built, err := m.build(ctx, controllerContext)
	if err != nil {
		return err
	}
	informer.Start(ctx, controllerContext.InformerFactory)
	defer controllerContext.InformerFactory.Shutdown()
	controllerContext.ObjectOrMetadataInformerFactory.Start(ctx.Done())
	close(controllerContext.InformersStarted)
	m.process.reached(stageInformers)
	if len(built) == 0 {
		<-ctx.Done()
		return nil
	}
	synced := make(chan struct{})
	go func() {
		defer close(synced)
		if informer.WaitForCacheSync(ctx, controllerContext.InformerFactory) {
			m.process.reached(stageSynced)
		}
	}()
	runAll(ctx, controllerContext, built)
	<-synced
	return nil
}

// newClients is upstream's createClientBuilders. The simulation needs no credentials, so one builder serves as the
// root's and as the controllers', and useServiceAccountCredentials changes nothing.
func (m *manager) newClients() clientbuilder.ControllerClientBuilder {
	clients := m.process.clients(m.options.Config.Generic.ClientConnection)
	clients.rootCA = m.ca.Certificate
	for name, of := range properties {
		if of.limits != (factors{}) {
			m.sim.Limit(m.process.actor(name), of.limits.qps, of.limits.burst)
		}
	}
	m.process.reached(stageClients)
	return clients
}

// build builds all enabled controllers. Each constructor runs under its controller's name, which its clients and queues
// then have.
func (m *manager) build(ctx context.Context, c app.ControllerContext) ([]hosted, error) {
	descriptors := app.NewControllerDescriptors()
	enabled := enabledControllers(c, descriptors)
	m.process.reached(stageList, fmt.Sprintf("enabled=%d", len(enabled)), fmt.Sprintf("known=%d", len(descriptors)))
	var built []hosted
	var running []string
	own := m.sim.Activities.Current()
	defer m.sim.Activities.Enter(own)
	for _, name := range enabled {
		tag := &activity.Activity{Actor: m.process.actor(name)}
		m.sim.Activities.Enter(tag)
		controller, err := m.buildOne(ctx, c, descriptors[name])
		if err != nil {
			return nil, fmt.Errorf("building %s: %w", name, err)
		}
		if controller == nil {
			continue
		}
		m.process.reached(stageBuilt, "controller="+name)
		built = append(built, &tagged{hosted: controller, manager: m, tag: tag})
		running = append(running, name)
	}
	slices.Sort(running)
	m.mu.Lock()
	m.names = running
	m.mu.Unlock()
	return built, nil
}

// enabledControllers are the names of the controllers that --controllers enables, in the order in which they are built:
// the token controller first, as in upstream, because in a cluster the others need its tokens; then sorted. Upstream
// takes the others in the order of a Go map, which differs between starts. It also builds the token controller
// independent of --controllers, if it has a key.
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

// buildOne builds a controller, or returns nil if its constructor disables it. Two controllers need key files, and are built
// from parts of upstream.
func (m *manager) buildOne(ctx context.Context, c app.ControllerContext, d *app.ControllerDescriptor) (hosted, error) {
	named := klog.NewContext(ctx, klog.LoggerWithName(klog.FromContext(ctx), d.Name()))
	switch d.Name() {
	case names.ServiceAccountTokenController:
		return m.newTokenController(named, c)
	case names.CertificateSigningRequestSigningController:
		return m.newSigningController(named, c)
	}
	return m.host(ctx, c, d)
}

// tagged is a controller whose goroutines carry its name.
type tagged struct {
	hosted
	manager *manager
	tag     *activity.Activity
}

// Run implements hosted. It sleeps as RunControllers would, for the ControllerStartInterval times a factor from
// one to two that wait.Jitter draws from the seed and the controller's name. The default interval is zero. A process that ends
// meanwhile runs its controllers all the same, as RunControllers does: they shut down at the end what their constructors have started.
func (t *tagged) Run(ctx context.Context) {
	t.manager.sim.Activities.Enter(t.tag)
	after := t.manager.stagger(t.Name())
	if interval := t.manager.options.Config.Generic.ControllerStartInterval.Duration; interval > 0 {
		after += wait.Jitter(interval, app.ControllerStartJitter)
	}
	if engine.Sleep(ctx, after) {
		t.manager.process.started(t.Name(), "after="+after.String())
	}
	t.hosted.Run(ctx)
}

// newContext is upstream's CreateControllerContext for a simulation instead of a cluster. Upstream's own is not called:
// its informers list in the order of Go maps and use watch-lists, and it registers names that a process can have only
// once, so a simulation could not have two managers.
func (m *manager) newContext(ctx context.Context, clients clientbuilder.ControllerClientBuilder) (app.ControllerContext, error) {
	resync := m.resync("shared-informers")
	informers := informer.NewFactory(informer.Options{
		Client: clients.ClientOrDie(trace.InformerActor), Seed: m.sim.Seed(), Resync: resync, Shares: true,
		Observe: m.read, Looks: m.sim.Observer.Looks,
		Enter: m.process.entersInformer(m.process.actor(trace.InformerActor)),
	})
	metadataClient, err := newMetadataClient(clients)
	if err != nil {
		return app.ControllerContext{}, err
	}
	if err := m.waitForAPIServer(clients); err != nil {
		return app.ControllerContext{}, err
	}
	mapper, err := newMapper(ctx, clients, !m.sim.LeavesOut())
	if err != nil {
		return app.ControllerContext{}, err
	}
	out := app.ControllerContext{
		ClientBuilder:   clients,
		InformerFactory: informers,
		ObjectOrMetadataInformerFactory: informerfactory.NewInformerFactory(informers,
			newMetadataInformers(metadataClient, resync)),
		ComponentConfig:          *m.options.Config,
		RESTMapper:               mapper,
		InformersStarted:         make(chan struct{}),
		ResyncPeriod:             func() time.Duration { return resync },
		ControllerManagerMetrics: controllersmetrics.NewControllerManagerMetrics(ManagerName),
	}
	m.addGraph(ctx, &out, metadataClient)
	m.process.reached(stageContext)
	return out, nil
}

// read observes that the calling goroutine reads a cache.
func (m *manager) read(read trace.Read) {
	m.sim.Observer.Read(read)
	activity := m.sim.Activities.Current()
	if activity == nil {
		return
	}
	controller, _ := trace.SplitActor(activity.Actor)
	if pause := Of(controller).pause; pause != nil {
		if d := pause(m, read); d > 0 {
			engine.Sleep(context.Background(), d)
		}
	}
}
