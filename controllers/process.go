package controllers

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	componentconfig "k8s.io/component-base/config"
	"k8s.io/controller-manager/pkg/clientbuilder"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/trace"
)

// process corresponds to a process in a cluster: a kube-controller-manager, or a controller of a user. It has its own
// clients, informers and queues, and it can crash independently.
//
// A crash in a cluster ends everything at once: no deferred function runs, and nothing is sent any more. Goroutines
// cannot be killed, so here the process is disconnected instead: its context ends, so that its goroutines end
// eventually, and from that virtual time on nothing that they do has an effect or is recorded.
type process struct {
	sim  *sim.Simulation
	name string
	// component is what the process runs: kube-controller-manager, kube-scheduler, or the controller of a user.
	component string
	// suffix distinguishes the actors of replicas: deployment-controller@2.
	suffix string

	ctx    context.Context
	cancel context.CancelFunc
	dead   atomic.Bool
	// life counts how often the process was started, from 0.
	life int
	// lines counts those of the start (reached).
	lines atomic.Int64
}

func newProcess(s *sim.Simulation, component, name, suffix string) *process {
	p := &process{sim: s, component: component, name: name, suffix: suffix}
	p.ctx, p.cancel = context.WithCancel(s.Context())
	return p
}

// actor is the name of a part of the process in the trace.
func (p *process) actor(name string) string { return name + p.suffix }

// owns reports whether an actor is a part of the process.
func (p *process) owns(actor string) bool {
	if actor == p.name {
		return true
	}
	name, suffix := trace.SplitActor(actor)
	switch {
	case suffix != p.suffix:
		return false
	case p.component == ManagerName:
		return p.suffix != "" && name != trace.SchedulerActor || slices.Contains(managerParts(), actor)
	}
	return name == p.component
}

// managerParts are the actors of the one kube-controller-manager of a simulation.
var managerParts = sync.OnceValue(func() []string {
	parts := []string{trace.InformerActor, trace.MetadataActor}
	for _, d := range Descriptors() {
		parts = append(parts, d.Name)
	}
	return parts
})

// crash ends the process. It runs on the engine's goroutine, while the simulation is quiescent, so that every run sends
// the same requests before it.
func (p *process) crash(why string) {
	if p.dead.Swap(true) {
		return
	}
	p.sim.Observer.Mute(p.name, p.owns, why)
	p.cancel()
}

// exit corresponds to os.Exit. Any goroutine may call it.
func (p *process) exit(why string) {
	p.sim.Engine.Schedule(&engine.Event{Key: "exit|" + p.name, Run: func() { p.crash(why) }})
}

// clients creates the clients of the process.
func (p *process) clients(connection componentconfig.ClientConnectionConfiguration) processClients {
	return processClients{clientBuilder{sim: p.sim, connection: connection, program: p.component}, p}
}

// errDead answers the requests of a process that has ended. It is a status, since client-go's event broadcaster retries
// after any other error.
var errDead = apierrors.NewServiceUnavailable("the process has ended")

// processClients gives the parts of a process their clients, which stop with it.
type processClients struct {
	clientBuilder
	process *process
}

var _ clientbuilder.ControllerClientBuilder = processClients{}

// Client implements clientbuilder.ControllerClientBuilder.
func (c processClients) Client(name string) (kubernetes.Interface, error) {
	name, restore := c.as(name)
	defer restore()
	made, err := c.clientBuilder.Client(name)
	if err != nil {
		return nil, err
	}
	fast, ok := made.(reactive)
	if !ok {
		return nil, fmt.Errorf("client %q is a %T, which cannot go silent", name, made)
	}
	fast.PrependReactor("*", "*", func(testing.Action) (bool, runtime.Object, error) {
		return c.process.dead.Load(), nil, errDead
	})
	fast.PrependWatchReactor("*", func(testing.Action) (bool, watch.Interface, error) {
		return c.process.dead.Load(), nil, errDead
	})
	return made, nil
}

// reactive is the part of a clientset based on client-go's fake that intercepts requests.
type reactive interface {
	PrependReactor(verb, resource string, reaction testing.ReactionFunc)
	PrependWatchReactor(resource string, reaction testing.WatchReactionFunc)
}

// limitedAs is a builder of clients whose requests have the rate limit of another name than their own.
func (c processClients) limitedAs(name string) processClients {
	c.limit = name
	return c
}

// ClientOrDie implements clientbuilder.ControllerClientBuilder.
func (c processClients) ClientOrDie(name string) kubernetes.Interface {
	client, err := c.Client(name)
	if err != nil {
		panic(err)
	}
	return client
}

// Config implements clientbuilder.ControllerClientBuilder.
func (c processClients) Config(name string) (*rest.Config, error) {
	name, restore := c.as(name)
	defer restore()
	config, err := c.clientBuilder.Config(name)
	if err != nil {
		return nil, err
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if c.process.dead.Load() {
				return nil, errDead
			}
			return next.RoundTrip(r)
		})
	})
	return config, nil
}

// ConfigOrDie implements clientbuilder.ControllerClientBuilder.
func (c processClients) ConfigOrDie(name string) *rest.Config {
	config, err := c.Config(name)
	if err != nil {
		panic(err)
	}
	return config
}

// as prepares the creation of a client. Clients have the name of the controller that is being built on this goroutine;
// those of the shared informers belong to none, and are distinguished by the process.
func (c processClients) as(name string) (actor string, restore func()) {
	if name != trace.InformerActor && name != trace.MetadataActor || c.process.suffix == "" {
		return name, func() {}
	}
	activities := c.process.sim.Activities
	before := activities.Current()
	activities.Enter(&activity.Activity{Actor: c.process.actor(name)})
	return c.process.actor(name), func() { activities.Enter(before) }
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// entersInformer tags the goroutine of an informer with the actor whose cache it fills, and registers the cache.
func (p *process) entersInformer(actor string) func(string, cache.Store) {
	return func(resource string, store cache.Store) {
		p.sim.Activities.Enter(&activity.Activity{Actor: actor})
		p.sim.AddCache(actor, resource, store)
	}
}
