package controllers

import (
	"context"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	componentconfig "k8s.io/component-base/config"

	"github.com/kubestep/kubestep/controllers/podcounter"
	"github.com/kubestep/kubestep/controllers/sitekeeper"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/observe/informer"
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
	"sitekeeper":                siteKeeper(""),
	"sitekeeper-finalizer-last": siteKeeper("finalizer-last"),
	"sitekeeper-status-always":  siteKeeper("status-always"),
}

func siteKeeper(mistake string) Custom {
	return func(ctx context.Context, clients Clients) error {
		cluster, err := clients.Config()
		if err != nil {
			return err
		}
		return sitekeeper.Run(ctx, cluster, sitekeeper.Options{
			Informers: clients.Informers, NewInformer: clients.NewInformer, Mistake: mistake,
		})
	}
}

// Clients are a controller's clients. All of them have the controller's name in the trace, and share one rate limit.
type Clients struct {
	// Client is a typed client. Its requests bypass HTTP.
	Client kubernetes.Interface
	// Informers is a factory of client-go's shared informers whose caches list in an order that the seed decides.
	// Client-go's own factory works too, but its caches list in Go's random map order.
	Informers informers.SharedInformerFactory

	process     *process
	newInformer func(cache.ListerWatcher, runtime.Object, time.Duration, cache.Indexers) cache.SharedIndexInformer
}

// Config is for clients that are created from a rest.Config: dynamic ones, and those of other libraries. Their requests
// pass the API server's HTTP handlers, without a network.
func (c Clients) Config() (*rest.Config, error) {
	return c.process.clients(componentconfig.ClientConnectionConfiguration{}).Config(c.process.name)
}

// NewInformer makes informers as client-go's cache.NewSharedIndexInformer does, whose reads are in the trace and whose caches
// list in an order that the seed decides. It is for libraries that make informers of their own: controller-runtime takes
// it as cache.Options.NewInformer.
func (c Clients) NewInformer(
	lw cache.ListerWatcher, obj runtime.Object, resync time.Duration, indexers cache.Indexers,
) cache.SharedIndexInformer {
	return c.newInformer(lw, obj, resync, indexers)
}

// Name is the name of the controller.
func (c Clients) Name() string { return c.process.name }

// SimulationOf is the simulation in which a controller runs, for the packages of kubestep that stand between both.
func SimulationOf(c Clients) *sim.Simulation { return c.process.sim }

// Restarts is how often the controller was started again after a crash.
func (c Clients) Restarts() int { return c.process.life }

// Exit ends the controller as os.Exit ends a process: like a crash, after which nothing starts it again.
func (c Clients) Exit(why string) { c.process.exit(why) }

// ServeWebhooks serves admission webhooks until ctx ends. The API server calls them as the configurations of webhooks in the
// cluster say, but whatever their Service or URL is: it finds the handler by the path alone. While the process does not run,
// the calls are refused. An operator must not listen on a port, which would stop virtual time.
func (c Clients) ServeWebhooks(ctx context.Context, handler http.Handler) {
	alive, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.process.ctx, cancel)()
	c.process.sim.ServeWebhooks(alive, c.process.name, handler)
}

func newClients(p *process) Clients {
	client := p.clients(componentconfig.ClientConnectionConfiguration{}).ClientOrDie(p.name)
	options := informer.Options{
		Client: client, Seed: p.sim.Seed(), Observe: p.sim.Observer.Read, Looks: p.sim.Observer.Looks, Enter: p.entersInformer(p.name),
	}
	return Clients{Client: client, process: p, Informers: informer.NewFactory(options), newInformer: informer.Maker(options)}
}
