package controllers

import (
	"context"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	componentconfig "k8s.io/component-base/config"

	"github.com/kubestep/kubestep/controllers/podcounter"
	"github.com/kubestep/kubestep/sim/informer"
)

// Custom is a controller that does not belong to kube-controller-manager. It is called on its own goroutine, runs until
// ctx ends, and then ends all goroutines that it started. An error before that is a failure of the controller, and
// stops the simulation.
type Custom func(ctx context.Context, clients Clients) error

// Builtin are the controllers that a scenario can name without any code: the examples of kubestep.
var Builtin = map[string]Custom{
	"podcounter": func(ctx context.Context, clients Clients) error {
		return podcounter.Run(ctx, clients.Client, podcounter.Options{Informers: clients.Informers})
	},
}

// Clients are a controller's clients. All of them have the controller's name in the trace, and share one rate limit.
type Clients struct {
	// Client is a typed client. Its requests bypass HTTP.
	Client kubernetes.Interface
	// Informers is a factory of client-go's shared informers whose caches list in an order that the seed decides.
	// Client-go's own factory works too, but its caches list in Go's random map order.
	Informers informers.SharedInformerFactory

	process *process
}

// Config is for clients that are created from a rest.Config: dynamic ones, and those of other libraries. Their requests
// pass the API server's HTTP handlers, without a network.
func (c Clients) Config() (*rest.Config, error) {
	return c.process.clients(componentconfig.ClientConnectionConfiguration{}).Config(c.process.name)
}

func newClients(p *process) Clients {
	client := p.clients(componentconfig.ClientConnectionConfiguration{}).ClientOrDie(p.name)
	return Clients{
		Client: client, process: p,
		Informers: informer.NewFactory(informer.Options{
			Client: client, Seed: p.sim.Seed(), Observe: p.sim.Observer.Read,
			Enter: p.entersInformer(p.name),
		}),
	}
}
