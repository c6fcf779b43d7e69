package invariant

import (
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/apis/config"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/decision"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// Invariant is a rule that holds in every run.
type Invariant struct {
	Name string
	// Sentence says what holds, and Forgives what does not violate it.
	Sentence, Forgives string
	// Upstream says where Kubernetes guarantees or implements it.
	Upstream string
	// watch begins to look at a run.
	watch func(*Run) watcher
}

// World is the run that is checked. Objects are shared, typed, and must not be modified.
type World interface {
	// Now is the virtual time since time zero.
	Now() time.Duration
	// Date is the virtual date.
	Date() time.Time
	// Restless says why the simulation is not at rest: something is still due, or a fault acts. It is empty if it is.
	Restless() string
	// Acting is the name of a fault that acts, or has acted less than a minute ago and may act again. It is empty if there is none.
	Acting() string
	Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool)
	List(resource schema.GroupResource, namespace string) []runtime.Object
	// Resources lists the resources that have had objects, sorted.
	Resources() []schema.GroupResource
	// Configuration is that of kube-controller-manager.
	Configuration() *config.KubeControllerManagerConfiguration
	// Process returns the process of an actor, and whether it runs. The name is empty for actors that are not
	// controllers: the user, kubelets, the scheduler.
	Process(actor string) (name string, works bool)
	// Cache returns the cache that an actor's informer fills, or nil. It must not be modified.
	Cache(actor, resource string) cache.Store
	// Interferes reports whether a fault that ends some time may apply to the process of an actor again, to which it applied at a time or
	// later, or holds something of it.
	Interferes(actor string, since time.Duration) bool
	// Interfered reports whether such a fault has applied to the process of an actor at a time or later.
	Interfered(actor string, since time.Duration) bool
	// IsCutOff reports whether a node runs, but cannot be reached.
	IsCutOff(node string) bool
}

// watcher is an invariant at work. Each method may call Run.broken; hasLooked reports whether there was anything to look at.
type watcher interface {
	// record is called for each record, before the writes of a request are applied.
	record(*trace.Record)
	// change is called for each write, after all writes of its request were applied.
	change(*change)
	// opened is called for each watch that a client opens, and delivered of each event that arrives in one, after its
	// record.
	opened(*network.Stream)
	delivered(*network.Delivery)
	// end is called when the run is over.
	end()
	hasLooked() bool
}

// change is a write, together with the record of its request.
type change struct{ decision.Change }

// isCreation reports whether the write is the creation of an object by a controller.
func (c *change) isCreation() bool { return c.Previous == nil && c.By.Request != nil }

// passive is a watcher that overlooks what it has no method for.
type passive struct{}

func (passive) record(*trace.Record)        {}
func (passive) change(*change)              {}
func (passive) opened(*network.Stream)      {}
func (passive) delivered(*network.Delivery) {}
func (passive) end()                        {}

// All lists the invariants by name.
func All() []Invariant {
	all := append([]Invariant{
		cacheEqualsStore, convergence, deletedAsRead, evictionBudget, jobIndex, jobParallelism, maxSurge, maxUnavailable,
		noHotLoop, noOrphans, notStuck, replicaSetPods, statefulSetOrdinal, updatedAsRead, watchOrder,
	}, decisions()...)
	slices.SortFunc(all, func(a, b Invariant) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Names are those of all invariants.
func Names() []string {
	var names []string
	for _, i := range All() {
		names = append(names, i.Name)
	}
	return names
}
