package place

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/trace"
)

// An API server may answer the first list of a process from a watch cache that is behind the state that the process has already acted on.
// The process then decides once more, on a past that is over:
//
//	crash --500ms--> start, list of the resource as of the moment before the write or event --5s--> events since then
//
// client-go asks for such a list with resourceVersion 0. With its feature gate WatchListClient it asks for a stream of the newest state
// instead; the informers of simulations list in both cases.

// staleParts name the rules after the one of the crash.
var staleParts = []string{"list", "watch"}

// staleAfterWrite restarts the process of a write without the write.
func staleAfterWrite(l *Look, s spot) []format.FaultRule {
	w := s.write
	informer, ok := l.informerOf(w.Actor, w.Resource)
	if !ok {
		return nil
	}
	return append([]format.FaultRule{w.Crash(Restart)}, stale(informer, w.Resource, w.At, w.At)...)
}

// staleAfterEvent restarts the process of an informer without the event, when the process has reacted to it.
func staleAfterEvent(_ *Look, s spot) []format.FaultRule {
	e := s.event
	if e.repeats || e.Written <= time.Millisecond {
		return nil
	}
	at := e.At + late
	return append([]format.FaultRule{{
		Watch: &format.FaultWatch{Actor: e.Actor, Resource: notation.Plural(e.Resource)},
		At:    notation.NewDuration(Rounded(at)), Crash: true, Restart: notation.NewDuration(Restart),
	}}, stale(e.Actor, e.Resource, e.Written, at)...)
}

// stale lets an informer that starts after a time list the state before another, and see the rest late.
func stale(informer, resource string, before, at time.Duration) []format.FaultRule {
	return []format.FaultRule{
		{
			Request: &format.FaultRequest{Actor: informer, Verb: "list", Resource: notation.Plural(resource)},
			At:      notation.NewDuration(Rounded(at)), AsOf: notation.NewDuration(before - time.Microsecond), Times: 1,
		},
		{
			Watch: &format.FaultWatch{Actor: informer, Resource: notation.Plural(resource)},
			At:    notation.NewDuration(Rounded(at)), Hold: true, For: notation.NewDuration(Restart + late),
		},
	}
}

// silent lets an informer hear nothing of a resource from an event on.
func silent(_ *Look, s spot) []format.FaultRule {
	e := s.event
	if e.follows {
		return nil
	}
	return []format.FaultRule{{
		Watch: &format.FaultWatch{Actor: e.Actor, Resource: notation.Plural(e.Resource)},
		At:    notation.NewDuration(Rounded(e.At)), Hold: true, For: notation.NewDuration(silence),
	}}
}

// informerOf is the informer through which an actor sees a resource: its own, or that of its kube-controller-manager.
func (l *Look) informerOf(actor, resource string) (informer string, ok bool) {
	_, suffix := trace.SplitActor(actor)
	candidates := []string{actor}
	for _, shared := range informers {
		candidates = append(candidates, shared+suffix)
	}
	i := slices.IndexFunc(candidates, func(c string) bool { return l.watching[stream{c, resource}] })
	if i < 0 {
		return "", false
	}
	return candidates[i], true
}

// stream is what an informer watches.
type stream struct{ actor, resource string }
