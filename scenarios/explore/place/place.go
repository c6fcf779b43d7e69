package place

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/cluster/node"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Place is one place with one kind of fault.
type Place struct {
	// Kind names the kind of the fault, and What says where it applies, in words: update of deployments/web at 1.5s ...
	Kind string `json:"kind"`
	What string `json:"what"`
	// At is the time of the write or the event in the run without faults, Actor who wrote or received it, and Object what it is about.
	At     time.Duration `json:"at"`
	Actor  string        `json:"actor"`
	Object trace.Object  `json:"object"`
	// In says what the place is in a run with any version of Kubernetes.
	In Identity `json:"in"`
	// Rules are the fault: the first one begins it.
	Rules []format.FaultRule `json:"rules"`
	// Late is the same fault with rules that begin at their times, and count from then on. So it can be added to a run that is under way.
	Late []format.FaultRule `json:"late"`
	// Turn is how many places of its class come before it: 0 for one of each kind of fault at each kind of write or event.
	Turn int `json:"turn,omitempty"`
}

// Lines describe the place: what the fault is, and where it applies.
func (p *Place) Lines() []string {
	lines := []string{p.Kind + " " + p.What}
	for _, rule := range p.Rules {
		lines = append(lines, verb.DescribeFault(rule))
	}
	return lines
}

// Identity says what a place is without what differs between versions of Kubernetes and does not matter: times, the hashes in names,
// and the positions among requests and events for other objects. Two places of one run never have the same.
type Identity struct {
	Kind        string `json:"kind"`
	Actor       string `json:"actor"`
	Verb        string `json:"verb"`
	Subresource string `json:"subresource,omitempty"`
	// Object has its role as its name (compare.Roles).
	Object trace.Object `json:"object"`
	// Nth is the position among the writes or events that have all else in common, from 1.
	Nth int `json:"nth"`
}

// String says which place it is: refused-write at create 2 of pods/web-(rev1)-* by replicaset-controller.
func (i Identity) String() string {
	name := trace.ObjectName(i.Object)
	if i.Subresource != "" {
		name += " " + i.Subresource
	}
	return fmt.Sprintf("%s at %s %d of %s by %s", i.Kind, i.Verb, i.Nth, name, i.Actor)
}

// Event is a watch event that an informer receives.
type Event struct {
	kind
	Object trace.Object
	// Nth is its position among the events of that type for the same resource, from 1.
	Nth int
	At  time.Duration
	// Written is when the server executed the write that it tells of.
	Written time.Duration
	// repeats means that the informer has had another event of that time: the list before is the same for both.
	repeats bool
	// follows means that it has had another one within the same millisecond: a rule with a time holds both.
	follows bool
	// since and near are as those of a Write.
	since time.Duration
	near  int
	// rv is the resourceVersion of the object.
	rv uint64
}

// String says which event it is: MODIFIED of pods/web-1 at 12ms (MODIFIED pods 3), the third one for Pods.
func (e *Event) String() string {
	return e.where(e.Object, e.At, e.Nth, e.since)
}

// rule is a rule that applies to the event, without an effect.
func (e *Event) rule() format.FaultRule {
	return format.FaultRule{Nth: e.Nth, Times: 1, At: start(e.since), Watch: &format.FaultWatch{
		Actor: e.Actor, Resource: notation.Plural(e.Resource), Type: e.Verb,
	}}
}

// Look collects the places of a run without faults.
type Look struct {
	until time.Duration
	// first is set if the run has a fault already (NewLookAfter).
	first *after
	// near counts requests and events of one kind from the millisecond on in which they are. nearby makes rules begin at their times, and
	// count from then on.
	near   positions
	nearby bool
	// only is the record whose places are listed, and seq the one that Note sees; only is 0 for all.
	only, seq int64
	// kubernetes says which kube-scheduler runs, and which components have replicas.
	kubernetes format.Kubernetes

	requests Counter
	events   Counter

	// watching are the streams that have had an event.
	watching map[stream]bool
	// seen is the newest write that an informer has had an event of, and last when it had one.
	seen, last map[stream]time.Duration
	// spots are the writes, the events, the bindings and the timers.
	spots []spot
	// timers are those of syncs that have not ended, by the records of the syncs.
	timers   map[int64][]*Timer
	requeued positions
	// pairs are the writes and the events that tell of them, and owned the Pods that controllers have created.
	pairs pairs
	owned map[trace.Object]bool

	// roles names the objects of spots, and same counts the spots that have all but their positions in common.
	roles *compare.Roles
	same  map[Identity]int
}

// NewLook returns a Look before the first record. It ignores what happens after the horizon of the scenario: runs with faults are longer.
func NewLook(s *format.Scenario) *Look {
	return &Look{
		until: s.Spec.Horizon.Duration, kubernetes: s.Spec.Kubernetes, watching: map[stream]bool{}, seen: map[stream]time.Duration{},
		last: map[stream]time.Duration{}, roles: compare.NewRoles(), same: map[Identity]int{},
		near: positions{}, pairs: newPairs(), owned: map[trace.Object]bool{}, timers: map[int64][]*Timer{}, requeued: positions{},
	}
}

// Note is a trace.Sink.
func (l *Look) Note(record *trace.Record, line []byte) {
	l.seq = record.Seq
	l.roles.Note(record, line)
	if l.first != nil {
		if l.first.note(record); isDelayed(record) {
			return
		}
	}
	if record.At < 0 || record.At > l.until {
		return
	}
	switch {
	case record.Watch != nil:
		l.watched(record)
		return
	case record.Timer != nil:
		l.set(record)
		return
	case record.Sync != nil:
		l.synced(record.Sync)
		return
	}
	if w, ok := l.requests.Write(record); ok && !record.Background && l.writes(record.Actor) {
		w.near = l.near.position(near{w.kind, trace.Object{}, Rounded(w.At)})
		w.nearAgain = l.near.position(near{w.kind, w.Object, Rounded(w.At)})
		if l.nearby {
			w.Nth, w.again, w.since = w.near, w.nearAgain, Rounded(w.At)
		}
		l.add(spot{write: &w})
		l.pairs.wrote(&w, record)
	}
	if record.Request != nil {
		l.bound(record)
	}
}

// writes reports whether the writes of an actor are places: those of controllers, and of upstream's kube-scheduler and kubelets. A stand-in
// has no network, and so no faults.
func (l *Look) writes(actor string) bool {
	name, _ := trace.SplitActor(actor)
	return compare.Decides(actor) || l.kubernetes.Scheduler == format.KubeScheduler && name == trace.SchedulerActor
}

// isUpstreamKubelet reports whether an actor is upstream's kubelet of a node.
func isUpstreamKubelet(actor string) bool {
	name, suffix := trace.SplitActor(actor)
	return name == "kubelet" && suffix != ""
}

// informers are the actors whose events the controllers of kube-controller-manager see.
var informers = []string{"shared-informers", "metadata-informers"}

func (l *Look) watched(record *trace.Record) {
	w := record.Watch
	if w.Type == "BOOKMARK" || w.Type == "ERROR" || fault.IsRoutine(notation.Plural(w.Resource)) {
		return
	}
	of := stream{record.Actor, w.Resource}
	l.watching[of] = true
	if isUpstreamKubelet(record.Actor) || !compare.Decides(record.Actor) && !slices.Contains(informers, record.Actor) {
		return
	}
	kind := kind{record.Actor, w.Type, w.Resource, ""}
	event := &Event{kind: kind, Object: w.Object, Nth: l.events.next(kind), At: record.At, Written: w.Written}
	event.repeats = l.seen[of] == w.Written
	at, had := l.last[of]
	event.follows = had && Rounded(at) == Rounded(record.At)
	l.seen[of], l.last[of] = w.Written, record.At
	event.near = l.near.position(near{kind, trace.Object{}, Rounded(event.At)})
	if l.nearby {
		event.Nth, event.since = event.near, Rounded(event.At)
	}
	event.rv = w.RV
	l.add(spot{event: event})
	l.pairs.saw(event)
}

// add notes a write or an event.
func (l *Look) add(s spot) {
	of := s.kind()
	_, _, object := s.about()
	s.in = Identity{Actor: of.Actor, Verb: of.Verb, Subresource: of.Subresource, Object: l.roles.Object(object)}
	l.same[s.in]++
	s.in.Nth = l.same[s.in]
	if l.first != nil && !l.first.meets(s) || l.only != 0 && l.only != l.seq {
		return
	}
	l.spots = append(l.spots, s)
}

// Places lists the places. The first ones are one of each class: each kind of fault, with each kind of write of a controller or event of an
// informer, in the order of Kinds and of time. Then comes another one of each class, as far in time from the first as can be, and so on: a
// sweep that ends early has tried all that is different.
func (l *Look) Places() []Place {
	slices.SortStableFunc(l.spots, func(a, b spot) int { return cmp.Compare(a.time(), b.time()) })
	var places []Place
	var classes []class
	for _, k := range Kinds() {
		for _, s := range l.spots {
			rules := k.at(l, s)
			if len(rules) == 0 {
				continue
			}
			p := Place{Kind: k.Name, What: k.where + " " + s.String(), In: s.in, Rules: rules, Late: s.late(rules)}
			p.In.Kind = k.Name
			p.At, p.Actor, p.Object = s.about()
			places, classes = append(places, p), append(classes, l.classOf(&k, s))
		}
	}
	return inTurn(places, classes)
}

// spot is a write, an event, the binding of a Pod or a timer: one of them is set.
type spot struct {
	write   *Write
	event   *Event
	binding *Binding
	timer   *Timer
	// in is what it is in any version of Kubernetes, without a kind of fault.
	in Identity
}

// kind is what it has in common with others that a rule counts.
func (s spot) kind() kind {
	switch {
	case s.write != nil:
		return s.write.kind
	case s.binding != nil:
		return kind{Actor: node.Actor, Verb: trace.VerbAdmit, Resource: s.binding.Pod.Resource}
	case s.timer != nil:
		return kind{Actor: s.timer.Actor, Verb: trace.VerbTimer, Resource: s.timer.Object.Resource}
	}
	return s.event.kind
}

// String says which one it is, and whose.
func (s spot) String() string {
	switch {
	case s.write != nil:
		return s.write.String() + " by " + s.write.Actor
	case s.binding != nil:
		return s.binding.String()
	case s.timer != nil:
		return s.timer.String() + " by " + s.timer.Actor
	}
	return s.event.String() + " for " + s.event.Actor
}

// rule is a rule that applies to it, without an effect.
func (s spot) rule() format.FaultRule {
	switch {
	case s.write != nil:
		return s.write.rule()
	case s.binding != nil:
		return s.binding.rule()
	case s.timer != nil:
		return s.timer.rule()
	}
	return s.event.rule()
}

func (s spot) time() time.Duration {
	at, _, _ := s.about()
	return at
}

func (s spot) about() (at time.Duration, actor string, object trace.Object) {
	switch {
	case s.write != nil:
		return s.write.At, s.write.Actor, s.write.Object
	case s.binding != nil:
		return s.binding.At, node.Actor, s.binding.Pod
	case s.timer != nil:
		return s.timer.At, s.timer.Actor, s.timer.Object
	}
	return s.event.At, s.event.Actor, s.event.Object
}
