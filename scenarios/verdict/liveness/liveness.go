package liveness

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/controller/apis/config"

	"github.com/kubestep/kubestep/sim/trace"
)

// World is the state at the end of a run. Objects are shared, typed, and must not be modified.
type World interface {
	Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool)
	// List returns the objects of a resource, sorted by namespace and name.
	List(resource schema.GroupResource, namespace string) []runtime.Object
	// Resources lists the resources that have objects, sorted.
	Resources() []schema.GroupResource
	// Date is the virtual date.
	Date() time.Time
	// Process returns the process of an actor, and whether it runs. The name is empty if the actor does not belong to any.
	Process(actor string) (name string, works bool)
}

// Dated is a World that knows when the taints of a node were last changed, which a taint need not say itself.
type Dated interface {
	// Tainted returns the zero time if it is unknown.
	Tainted(node string) time.Time
}

// Partial is a World that does not have all kinds of objects, such as a dump.
type Partial interface {
	Has(resource schema.GroupResource) bool
}

// Owned is a World that knows the Pods that an object controls without looking at all Pods.
type Owned interface {
	// PodsOf returns the Pods, sorted by namespace and name, that the object with a uid controls; ok is false if it does not know.
	PodsOf(uid types.UID) (pods []runtime.Object, ok bool)
}

// Configured is a World that knows how its controllers are configured. In others, they have the defaults.
type Configured interface {
	Configuration() *config.KubeControllerManagerConfiguration
}

// Goal is what the objects of a resource want.
type Goal struct {
	// Resource is empty if the objects of all kinds want it.
	Resource schema.GroupResource
	// Relation is the name of the relation that should hold between the objects and others; empty if the goal is about the objects alone.
	Relation string
	// Controller has to act. It is empty if none can: somebody outside kube-controller-manager has to.
	Controller string
	// Sentence says what the objects want, and Upstream where Kubernetes decides it.
	Sentence, Upstream string
	// lack compares an object with what it wants; nil means that it has it.
	lack func(*view, runtime.Object) *Lack
	// note says what looks like a lack in an object that has what it wants; empty if nothing does. It may be nil.
	note func(*view, runtime.Object) string
	// Always means that a run tells what an object lacks even if the scenario leaves the controller out.
	Always bool
}

// AppliesTo reports whether the objects of a resource have the goal.
func (g *Goal) AppliesTo(resource schema.GroupResource) bool {
	return g.Resource.Empty() || g.Resource == resource
}

// Goals lists the goals of all kinds, in the order in which objects wait for one another, and then the relations between objects.
func Goals() []Goal { return goals }

var goals = slices.Concat(ofKinds(), relations())

// ofKinds are the goals of single objects.
func ofKinds() []Goal {
	return []Goal{
		autoscalers, deployments, replicaSets, replicationControllers, statefulSets, daemonSets, cronJobs, jobs, claims, endpointSlices,
		endpoints, disruptionBudgets, quotas, nodeTaints, evictions, podRemovals, jobPodRemovals, claimRemovals, volumeRemovals,
		namespaceRemovals, owners, dependents, removals,
	}
}

// Find compares every object with what it wants. Objects of controllers without a process are left out, with the exception
// of those that only the garbage collector would remove.
func Find(world World) []*Finding {
	v := newView(world)
	var found []*Finding
	for _, goal := range Goals() {
		if !goal.Always && !v.isKnown(goal.Controller) {
			continue
		}
		resources := []schema.GroupResource{goal.Resource}
		if goal.Resource.Empty() {
			resources = world.Resources()
		}
		for _, resource := range resources {
			for _, object := range world.List(resource, "") {
				if lack := goal.compare(v, object); lack != nil {
					found = append(found, &Finding{
						Object: name(resource, object), Controller: goal.Controller, Lack: *lack, Goal: goal,
						Idle: !v.works(goal.Controller),
					})
				}
			}
		}
	}
	return found
}

// compare compares an object with the goal; nil means that it has what it wants.
func (g *Goal) compare(v *view, object runtime.Object) *Lack {
	lack := g.lack(v, object)
	if lack != nil && lack.For == "" && !v.works(g.Controller) {
		lack.For = g.Controller + idle
	}
	return lack
}

// LackOf compares one object with what a goal wants; nil means that it has it, or does not exist.
func LackOf(world World, goal Goal, o trace.Object) *Lack {
	object, found := world.Get(schema.ParseGroupResource(o.Resource), o.Namespace, o.Name)
	if !found {
		return nil
	}
	return goal.compare(newView(world), object)
}

// NoteOf says what looks like a lack in an object that has what a goal wants; empty if nothing does.
func NoteOf(world World, goal Goal, o trace.Object) string {
	object, found := world.Get(schema.ParseGroupResource(o.Resource), o.Namespace, o.Name)
	if !found || goal.note == nil {
		return ""
	}
	return goal.note(newView(world), object)
}
