package syncs

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/observe/digest"
)

// What a controller does next depends on the syncs that are under way, too: on what they have read, and on the answers that they have
// received. The memory of a sync stands for that, for those who compare states.

// memory is what a sync has learned.
type memory struct {
	digest.Digest
	// answers counts the answers, and reads the reads, at the last look.
	answers, reads int
}

// Answered notes an answer to a request of the sync.
func (s *Sync) Answered(answer digest.Digest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers++
	s.memory.Digest = digest.Of(fmt.Append(nil, s.memory.Digest, answer))
}

// Learn brings the memories of the syncs under way up to date. It must be called whenever the simulation is quiescent. cached is the digest
// of the caches of a resource that an actor may read.
func (o *Observer) Learn(cached func(actor, resource string) digest.Digest) {
	for _, s := range o.underWay() {
		s.learn(cached)
	}
}

func (s *Sync) learn(cached func(actor, resource string) digest.Digest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.memory.answers == s.answers && s.memory.reads == len(s.reads) {
		return
	}
	s.memory.answers, s.memory.reads = s.answers, len(s.reads)
	resources := map[string]bool{}
	for _, read := range s.reads {
		resources[read.Resource] = true
	}
	for _, resource := range slices.Sorted(maps.Keys(resources)) {
		s.memory.Digest = digest.Of(fmt.Append(nil, s.memory.Digest, resource, cached(s.Actor, resource)))
	}
}

// underWay are the syncs that have not ended, in the order of their actors.
func (o *Observer) underWay() []*Sync {
	o.mu.Lock()
	defer o.mu.Unlock()
	var found []*Sync
	for _, actor := range slices.Sorted(maps.Keys(o.recent)) {
		for _, s := range o.recent[actor] {
			s.mu.Lock()
			if s.ended == never {
				found = append(found, s)
			}
			s.mu.Unlock()
		}
	}
	return found
}

// about says what a watch event is about: an object, and the controller that owns it.
type about struct{ object, ownerKind, owner string }

func aboutOf(object runtime.Object) (a about) {
	accessor, err := meta.Accessor(object)
	if object == nil || err != nil {
		return about{}
	}
	a.object = accessor.GetNamespace() + "/" + accessor.GetName()
	if owner := metav1.GetControllerOfNoCopy(accessor); owner != nil {
		a.ownerKind, a.owner = owner.Kind, accessor.GetNamespace()+"/"+owner.Name
	}
	return a
}

// whyAdded says what adds a key to a queue, so that two keys that wait can be told apart. A queue does not tell its keys before a worker
// takes them: a sync adds its own key, a handler the object of its event, or the owner if that is what the controller is about, as
// replicaset-controller does with Pods. Other handlers, such as those that look for Services of a Pod, may add one key for two objects.
// Then states differ that need not, and never the other way round.
func (o *Observer) whyAdded(q *queue, s *Sync) string {
	if !o.KeepDelays {
		return ""
	}
	if s != nil {
		return s.Key()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.at != o.now():
		return ""
	case o.about.owner != "" && q.actor == strings.ToLower(o.about.ownerKind)+"-controller":
		return o.about.owner
	}
	return o.about.object
}

// WriteState writes the syncs that are under way with what they have learned, and for each queue what has added the keys that wait, in
// their order, and which delayed additions may be pending.
func (o *Observer) WriteState(w io.Writer) {
	lines := []string{}
	for _, s := range o.underWay() {
		s.mu.Lock()
		lines = append(lines, fmt.Sprintln(s.Actor, s.Queue, s.key, s.memory.Digest))
		s.mu.Unlock()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, same := range o.queues {
		for _, q := range same {
			lines = append(lines, q.state())
		}
	}
	slices.Sort(lines)
	for _, line := range lines {
		_, _ = io.WriteString(w, line)
	}
}

// state is a line about a queue.
func (q *queue) state() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting := []string{}
	for _, at := range slices.Sorted(maps.Keys(q.entries)) {
		for _, e := range q.entries[at] {
			waiting = append(waiting, e.why)
		}
	}
	return fmt.Sprintln(q.actor, q.order, waiting, q.delays.text())
}
