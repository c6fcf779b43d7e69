package scene

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Role is what a component does in a cluster. The roles are in the order in which a change passes through them.
type Role int

// The roles. A Client is kubectl or another user, a Process is kube-controller-manager as far as it sends requests of its own, which
// renew its lease, and Other is every other program with requests.
const (
	Client Role = iota
	Process
	Controller
	Scheduler
	Kubelet
	Other
)

// MarshalText implements encoding.TextMarshaler.
func (r Role) MarshalText() ([]byte, error) {
	return []byte([]string{"client", "process", "controller", "scheduler", "kubelet", "other"}[r]), nil
}

// Component is a program or a part of one that sends requests or receives watch events.
type Component struct {
	// Name is that of the actor, without the number of its replica: deployment-controller.
	Name string `json:"name"`
	Role Role   `json:"role"`
	// Syncs says that it takes keys from a queue, as controllers and kube-scheduler do; a stand-in does not.
	Syncs bool `json:"-"`
	// Resources are those whose watch events add keys to the queues of a component that syncs, in alphabetical order.
	Resources []string `json:"-"`
	// Writes is how many of its requests in the whole recording are not routine, and how often its webhooks were called. It says which
	// components matter most.
	Writes int `json:"-"`
	// Pods is how many Pods upstream's kubelets run in the whole recording.
	Pods int `json:"-"`

	// sent are the records of its requests, of faults that hold one, and of the calls of its webhooks.
	sent []int64
	// actors are the names of its replicas in the trace: deployment-controller@1.
	actors []string
	first  int64
}

// Is reports whether an actor of the trace is this component, or a replica of it.
func (o *Component) Is(actor string) bool { return slices.Contains(o.actors, actor) }

// Actors are the names of its replicas in the trace: deployment-controller@1.
func (o *Component) Actors() []string { return o.actors }

// informer is the client and the resource of a watch.
type informer struct{ actor, resource string }

// finder finds the components in records, which are added in order, so that nobody has to go through a large recording for it
// alone.
type finder struct {
	// events are the watch events of each informer, and reads its lists and watches.
	events, reads map[informer][]int64
	// holds are the faults that hold a message, and those that let it go.
	holds  []int64
	byName map[string]*Component
	// watched are the resources of watch events, by the records up to now: the number of a resource among resources, from 1. woken are
	// those whose events woke a component.
	watched   []uint16
	resources []string
	woken     map[string]map[string]bool
	// ran are the Pods whose containers a kubelet ran, by their uids.
	ran map[string]bool
}

func newFinder() *finder {
	return &finder{
		events: map[informer][]int64{}, reads: map[informer][]int64{}, byName: map[string]*Component{},
		woken: map[string]map[string]bool{}, ran: map[string]bool{},
	}
}

// add adds the next record.
func (f *finder) add(record *trace.Record) {
	if fault := record.Fault; fault != nil && (fault.Has(trace.EffectHold) || fault.Effect == trace.EffectRelease) {
		f.holds = append(f.holds, record.Seq)
	}
	f.watched = append(f.watched, 0)
	if r := record.Request; r != nil && (r.Verb == "list" || r.Verb == "watch") {
		of := informer{record.Actor, r.Resource}
		f.reads[of] = append(f.reads[of], record.Seq)
	}
	switch {
	case record.Watch != nil:
		of := informer{record.Actor, record.Watch.Resource}
		f.events[of] = append(f.events[of], record.Seq)
		f.watched[record.Seq-1] = f.numberOf(record.Watch.Resource)
	case record.Enqueue != nil, record.Sync != nil:
		component := find(f.byName, record)
		component.Syncs = true
		if component.Role == Other {
			component.Role = Controller
		}
		if resource := f.resourceOf(record.Cause); resource != "" && record.Enqueue != nil {
			if f.woken[component.Name] == nil {
				f.woken[component.Name] = map[string]bool{}
			}
			f.woken[component.Name][resource] = true
		}
	case record.Container != nil && !f.ran[record.Container.UID]:
		f.ran[record.Container.UID] = true
		find(f.byName, record).Pods++
	case sends(record):
		component := find(f.byName, record)
		component.sent = append(component.sent, record.Seq)
	}
}

// numberOf is the number of a resource, from 1.
func (f *finder) numberOf(resource string) uint16 {
	i := slices.Index(f.resources, resource)
	if i < 0 {
		i = len(f.resources)
		f.resources = append(f.resources, resource)
	}
	return uint16(i + 1)
}

// resourceOf is the resource of a watch event; empty for any other record.
func (f *finder) resourceOf(seq int64) string {
	if seq < 1 || f.watched[seq-1] == 0 {
		return ""
	}
	return f.resources[f.watched[seq-1]-1]
}

// components are those of the recording whose records were added, in a fixed order: by role, and in one role by their first message.
func (f *finder) components(rec *recording.Recording) (all []*Component) {
	for name, component := range f.byName {
		component.Resources = slices.Sorted(maps.Keys(f.woken[name]))
		for _, seq := range component.sent {
			if rec.IsStory(seq) || rec.Kind(seq) == trace.KindWebhook {
				component.Writes++
			}
		}
		if len(component.sent) > 0 || component.Syncs {
			all = append(all, component)
		}
	}
	slices.SortFunc(all, func(a, b *Component) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.first, b.first), strings.Compare(a.Name, b.Name))
	})
	return all
}

// find is the component of a record; it is new if this is its first record.
func find(byName map[string]*Component, record *trace.Record) *Component {
	name, _ := trace.SplitActor(record.Actor)
	component := byName[name]
	if component == nil {
		component = &Component{Name: name, Role: roleOf(name), first: record.Seq}
		byName[name] = component
	}
	if !slices.Contains(component.actors, record.Actor) {
		component.actors = append(component.actors, record.Actor)
	}
	return component
}

// sends reports whether a record is a message to the API server: a request that changes something or that was refused, a request that a
// fault holds, or the answer of a webhook. What the API server makes when it starts, what informers list, Kubernetes Events and the
// heartbeats of nodes are no messages; the renewals of the lease of kube-controller-manager are.
func sends(record *trace.Record) bool {
	switch record.Actor {
	case "", trace.InformerActor, trace.MetadataActor, trace.APIServerActor:
		return false
	}
	switch {
	case record.Webhook != nil:
		return true
	case record.Background && roleOf(record.Actor) != Process:
		return false
	case record.Request != nil && strings.HasPrefix(record.Request.Resource, "events"):
		return false
	case record.Request != nil:
		r := record.Request
		return len(r.Writes) > 0 || r.Code >= 400 || r.Verb != "get" && r.Verb != "list" && r.Verb != "watch"
	case record.Fault != nil:
		return record.Fault.Effect == trace.EffectHold && record.Fault.Verb != "" && record.Cause != 0
	}
	return false
}

func roleOf(name string) Role {
	switch {
	case name == "kube-scheduler":
		return Scheduler
	case name == "kubelet":
		return Kubelet
	case name == controllers.ManagerName, strings.HasPrefix(name, controllers.ManagerName+"-"):
		return Process
	case name == "kubectl":
		return Client
	case strings.HasSuffix(name, "-controller"):
		return Controller
	}
	return Other
}

// Foremost are the components that matter most in the whole recording, at most some, in their order: those that are named, users and
// processes, and then those that write most.
func (s *Scenes) Foremost(most int, named ...string) []*Component {
	ranked := slices.Clone(s.Components)
	rank := func(o *Component) int {
		if i := slices.Index(named, o.Name); i >= 0 {
			return i - len(named) - 1
		}
		if o.Role == Client || o.Role == Process {
			return -1
		}
		return 0
	}
	slices.SortStableFunc(ranked, func(a, b *Component) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Writes, a.Writes))
	})
	ranked = ranked[:min(max(most, 0), len(ranked))]
	var foremost []*Component
	for _, o := range s.Components {
		if slices.Contains(ranked, o) && (o.Writes > 0 || rank(o) < 0) {
			foremost = append(foremost, o)
		}
	}
	return foremost
}
