package space

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Profile is what happened in a run without faults, and so what faults can apply to.
type Profile struct {
	// requests are the kinds of requests that controllers sent, and caches the streams of watch events, both sorted.
	requests []*requests
	caches   []*cache
	// nodes are those that had Pods.
	nodes []string
}

// requests are the requests of one kind, and when they were executed.
type requests struct {
	actor, verb, resource, subresource string

	at []time.Duration
}

// writes reports whether the requests change something.
func (r *requests) writes() bool { return r.verb != "get" && r.verb != "list" && r.verb != "watch" }

// cache is one informer of a client, and when its events arrived.
type cache struct {
	actor, resource string

	at []time.Duration
}

// Look makes the run without faults, with the scenario's own seed, so that what a seed draws depends on nothing but the
// scenario and the spaces. run makes a run of the scenario.
func Look(run func(runner.RunOptions) (*runner.Outcome, error)) (*Profile, error) {
	look := &look{requests: map[string]*requests{}, caches: map[string]*cache{}, nodes: map[string]bool{}}
	if _, err := run(runner.RunOptions{WithoutFaults: verb.AllFaults, Sinks: []trace.Sink{look.note}}); err != nil {
		return nil, err
	}
	return look.profile(), nil
}

// look collects a Profile.
type look struct {
	requests map[string]*requests
	caches   map[string]*cache
	nodes    map[string]bool
}

// note is a trace.Sink.
func (l *look) note(record *trace.Record, _ []byte) {
	if record.At < 0 {
		return
	}
	switch {
	case record.Watch != nil:
		l.watched(record)
	case record.Request != nil:
		l.requested(record)
	}
}

func (l *look) watched(record *trace.Record) {
	if base, _, _ := strings.Cut(record.Watch.Resource, "."); fault.IsRoutine(base) || record.Watch.Type == "BOOKMARK" {
		return
	}
	key := record.Actor + " " + record.Watch.Resource
	if l.caches[key] == nil {
		l.caches[key] = &cache{actor: record.Actor, resource: record.Watch.Resource}
	}
	l.caches[key].at = append(l.caches[key].at, record.At)
}

func (l *look) requested(record *trace.Record) {
	r := record.Request
	for i := range r.Writes {
		for _, change := range r.Writes[i].Changes {
			var node string
			if change.Path == "spec.nodeName" && json.Unmarshal(change.New, &node) == nil && node != "" {
				l.nodes[node] = true
			}
		}
	}
	if record.Background || !compare.Decides(record.Actor) {
		return
	}
	key := strings.Join([]string{record.Actor, r.Verb, r.Resource, r.Subresource}, " ")
	if l.requests[key] == nil {
		l.requests[key] = &requests{actor: record.Actor, verb: r.Verb, resource: r.Resource, subresource: r.Subresource}
	}
	l.requests[key].at = append(l.requests[key].at, record.At)
}

func (l *look) profile() *Profile {
	p := &Profile{nodes: slices.Sorted(maps.Keys(l.nodes))}
	for _, key := range slices.Sorted(maps.Keys(l.requests)) {
		if l.requests[key].writes() {
			p.requests = append(p.requests, l.requests[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(l.caches)) {
		p.caches = append(p.caches, l.caches[key])
	}
	return p
}

// moments are the times at which a controller wrote something, in order, without repetitions.
func (p *Profile) moments() []time.Duration {
	var all []time.Duration
	for _, r := range p.requests {
		all = append(all, r.at...)
	}
	slices.SortFunc(all, cmp.Compare[time.Duration])
	return slices.Compact(all)
}
