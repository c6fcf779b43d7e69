package sim

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/observe/digest"
	"github.com/kubestep/kubestep/sim/trace"
)

// Point is a moment of a run at which several events may come next.
type Point struct {
	At time.Duration
	// State stands for all that decides what happens next, as far as it is known: see WriteState.
	State digest.Digest
	Text  string
	// Open are the events that may come next; the first one does if nobody chooses. Their order depends only on what they are.
	Open []engine.Open
}

// ChooseOrder lets choose decide which of several events of one time comes next, from time zero on. more writes what else a state consists
// of. Options.OpenOrder must be set. Call it before Run.
func (s *Simulation) ChooseOrder(more func(io.Writer), choose func(Point) int) {
	s.Engine.OnQuiet(func() { s.Observer.Learn(s.cached) })
	s.Observer.Begins = s.beginSync
	s.Engine.ChooseBy(func(due []*engine.Event) int {
		var text bytes.Buffer
		s.WriteState(&text)
		more(&text)
		point := Point{At: s.Engine.Now(), State: digest.Of(text.Bytes())}
		open := slices.Clone(due)
		slices.SortStableFunc(open, inOrder)
		for _, event := range open {
			point.Open = append(point.Open, event.Asked())
		}
		return slices.Index(due, open[choose(point)])
	})
}

// beginSync waits until the sync of a key begins. That is an event like others: a worker that has taken a key may begin before or after
// another watch event reaches its cache. During startup, syncs begin at once.
func (s *Simulation) beginSync(actor, queue, key string) {
	if s.Engine.Now() < 0 {
		return
	}
	begun := make(chan struct{})
	begin := func() { close(begun) }
	if s.Engine.Schedule(&engine.Event{
		Key: "sync|" + actor + "|" + queue + "|" + key, Run: begin, Abandon: begin,
		Open: &engine.Open{Kind: engine.OpenSync, Name: strings.TrimSpace(actor + " " + key)},
	}) {
		<-begun
	}
}

// kinds are those of open events in the order in which they come if nobody chooses: workers that are free begin, caches are as new as they
// can be, and what was begun ends before something else begins.
var kinds = []engine.OpenKind{engine.OpenSync, engine.OpenWatch, engine.OpenAnswer, engine.OpenRequest, engine.OpenAct}

// inOrder compares events by what they are and bring, and not by when they were sent: equal states have their open events in the
// same order.
func inOrder(a, b *engine.Event) int {
	one, two := a.Asked(), b.Asked()
	return cmp.Or(
		cmp.Compare(slices.Index(kinds, one.Kind), slices.Index(kinds, two.Kind)),
		cmp.Compare(one.Name, two.Name), cmp.Compare(brought(one), brought(two)))
}

// brought is what an event brings.
func brought(open engine.Open) string {
	var text strings.Builder
	if open.Write != nil {
		open.Write(&text)
	}
	return text.String()
}

// withoutTime are the options of a network in which nothing takes time, so that nothing but a Chooser decides what comes first.
func withoutTime(o network.Options) network.Options {
	o.Latency, o.QPS, o.OpenOrder = network.Latency{}, 0, true
	return o
}

// WriteState writes what decides what happens next: the time, the objects of the store and of the caches, the events that are under way or
// due, the syncs that are under way with what they know, the queues, and the faults. It leaves out Events, leases, heartbeats and
// resourceVersions, and what controllers keep in variables of their own.
func (s *Simulation) WriteState(w io.Writer) {
	fmt.Fprintln(w, s.Engine.Now())
	for _, resource := range s.State.Resources() {
		if fault.IsRoutine(resource.Resource) {
			continue
		}
		fmt.Fprintln(w, resource)
		for _, object := range s.State.List(resource, "") {
			fmt.Fprintln(w, s.described(object))
		}
	}
	for _, name := range s.cacheNames() {
		fmt.Fprintln(w, name.actor, name.resource, s.cachedBy(name))
	}
	s.Network.WriteState(w)
	s.writeDue(w)
	s.Observer.WriteState(w)
}

// writeDue writes the events that are due, now or later.
func (s *Simulation) writeDue(w io.Writer) {
	var lines []string
	s.Engine.Scheduled(func(event *engine.Event, at time.Duration) bool {
		if event.Upkeep || event.Class == engine.Routine {
			return true
		}
		var line strings.Builder
		asked := event.Asked()
		fmt.Fprint(&line, at, " ", event.Key, " ", asked.Kind, " ", brought(asked))
		lines = append(lines, line.String())
		return true
	})
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
}

// cacheNames are the caches that matter, sorted.
func (s *Simulation) cacheNames() []cacheName {
	s.caches.mu.Lock()
	defer s.caches.mu.Unlock()
	var names []cacheName
	for name := range s.stores {
		if resource, _, _ := strings.Cut(name.resource, "."); !fault.IsRoutine(resource) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b cacheName) int {
		return cmp.Or(cmp.Compare(a.actor, b.actor), cmp.Compare(a.resource, b.resource))
	})
	return names
}

// cachedBy is the digest of a cache.
func (s *Simulation) cachedBy(name cacheName) digest.Digest {
	return s.digestOf(s.Cache(name.actor, name.resource))
}

// cached is the digest of the caches of a resource, which is without its group, that an actor may read: its own, and those that the
// controllers of kube-controller-manager share.
func (s *Simulation) cached(actor, resource string) digest.Digest {
	var all []byte
	for _, name := range s.cacheNames() {
		isMine := name.actor == actor || name.actor == trace.InformerActor || name.actor == trace.MetadataActor
		if plural, _, _ := strings.Cut(name.resource, "."); isMine && plural == resource {
			all = fmt.Append(all, s.cachedBy(name), " ")
		}
	}
	return digest.Of(all)
}

func (s *Simulation) digestOf(store cache.Store) digest.Digest {
	var lines []string
	for _, item := range store.List() {
		if object, ok := item.(runtime.Object); ok {
			lines = append(lines, s.described(object))
		}
	}
	slices.Sort(lines)
	return digest.Of([]byte(strings.Join(lines, "\n")))
}

// described is a line about an object.
func (s *Simulation) described(object runtime.Object) string {
	name := ""
	if accessor, err := meta.Accessor(object); err == nil {
		name = accessor.GetNamespace() + "/" + accessor.GetName()
	}
	return fmt.Sprint(name, " ", uint64(s.Digests.Of(object)))
}
