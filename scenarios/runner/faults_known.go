package runner

import (
	"path"
	"slices"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/binder"
	"github.com/kubestep/kubestep/sim/cluster/node"
	"github.com/kubestep/kubestep/sim/trace"
)

// validateFaults checks the names that faults hold: who sends requests, and which subresources there are.
func validateFaults(s *format.Scenario, server *apiserver.Server, brought []string) error {
	var list source.ErrorList
	s.EachFault(func(at string, f *format.FaultRule) {
		if f.Watch != nil {
			if err := checkInformer(s, at+".watch.actor", f.Watch.Actor, brought); err != nil {
				list = append(list, err)
			}
		}
		list = append(list, checkDrawn(s, at, f, brought)...)
		if f.Timer != nil {
			if err := checkActor(s, at+".timer.actor", f.Timer.Actor, brought); err != nil {
				list = append(list, err)
			}
		}
		if f.Request == nil {
			return
		}
		if f.Crash && f.Request.Actor == verb.User {
			list = append(list, s.Errorf(at+".crash", "actor: deployment-controller", "%s is not a process that can crash", verb.User))
		}
		if err := checkActor(s, at+".request.actor", f.Request.Actor, brought); err != nil {
			list = append(list, err)
		}
		if err := checkSubresource(s, at+".request.subresource", f.Request); err != nil {
			list = append(list, err)
		}
	})
	if len(list) > 0 {
		return list
	}
	return nil
}

// informers are the actors of a scenario that watch.
func informers(s *format.Scenario, brought []string) []string {
	var known []string
	replicas := controllers.ManagerNames(s.Spec.Kubernetes.Replicas)
	for n := range replicas {
		suffix := controllers.ReplicaSuffix(len(replicas), n)
		known = append(known, trace.InformerActor+suffix, trace.MetadataActor+suffix)
	}
	known = append(known, schedulerActors(s)...)
	known = append(known, kubeletActors(s)...)
	known = append(known, s.Spec.Controllers...)
	known = append(known, brought...)
	slices.Sort(known)
	return slices.Compact(known)
}

// schedulerActors are the actors of kube-schedulers.
func schedulerActors(s *format.Scenario) []string {
	var actors []string
	names := schedulerNames(s)
	for n := range names {
		actors = append(actors, controllers.SchedulerName+controllers.ReplicaSuffix(len(names), n))
	}
	return actors
}

// checkInformer wants an actor that watches in this scenario.
func checkInformer(s *format.Scenario, at, actor string, brought []string) *source.Error {
	known := informers(s, brought)
	switch {
	case actor == "" || matchesAny(actor, known):
		return nil
	case matchesAny(actor, senders(s, brought)) || slices.Contains(controllers.Names(), actor):
		return s.Errorf(at, trace.InformerActor,
			"%s has no informers of its own: the controllers of one kube-controller-manager share them", actor)
	}
	return s.Errorf(at, spelling.Among(actor, known),
		"unknown actor %q: it does not watch in this scenario", actor)
}

// checkDrawn wants each actor that may be drawn.
func checkDrawn(s *format.Scenario, at string, f *format.FaultRule, brought []string) (list source.ErrorList) {
	if f.Draw == nil {
		return nil
	}
	check := checkActor
	if f.Watch != nil {
		check = checkInformer
	}
	for i, actor := range f.Draw.Actor {
		if err := check(s, source.Item(at+".draw.actor", i), actor, brought); err != nil {
			list = append(list, err)
		}
	}
	return list
}

// matchesAny reports whether a glob matches a name.
func matchesAny(pattern string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		matched, err := path.Match(pattern, name)
		return err == nil && matched
	})
}

// senders are the actors of a scenario whose requests pass the gate.
func senders(s *format.Scenario, brought []string) []string {
	replicas := controllers.ManagerNames(s.Spec.Kubernetes.Replicas)
	// A manager itself renews its lease.
	known := append([]string{verb.User}, replicas...)
	parts := []string{trace.InformerActor, trace.MetadataActor}
	for _, d := range controllers.Descriptors() {
		if controllers.IsEnabled(s.Spec.Kubernetes.Controllers, d.Name) {
			parts = append(parts, d.Name)
		}
	}
	for n := range replicas {
		for _, part := range parts {
			known = append(known, part+controllers.ReplicaSuffix(len(replicas), n))
		}
	}
	if elects(s) {
		known = append(known, replicas...)
	}
	known = append(known, schedulerActors(s)...)
	known = append(known, schedulerNames(s)...)
	known = append(known, kubeletActors(s)...)
	known = append(known, s.Spec.Controllers...)
	known = append(known, brought...)
	slices.Sort(known)
	return slices.Compact(known)
}

// checkActor wants an actor that sends requests in this scenario.
func checkActor(s *format.Scenario, at, actor string, brought []string) *source.Error {
	known := senders(s, brought)
	switch {
	case actor == "" || matchesAny(actor, known):
		return nil
	case actor == binder.Actor:
		return s.Errorf(at, "kubernetes: {scheduler: kube-scheduler}",
			"%s is a stand-in in this scenario, and its requests have no network", actor)
	case actor == node.Actor:
		return s.Errorf(at, "node: {fail: node-1} for a kubelet",
			"%s is part of the simulation, and its requests have no network", actor)
	case slices.Contains(controllers.Names(), actor):
		if resolved, err := controllers.Resolve([]string{actor}); err == nil && resolved[0] != actor {
			return s.Errorf(at, resolved[0], "%q is an alias; the trace uses %s", actor, resolved[0])
		}
		return s.Errorf(at, "kubernetes: {controllers: ["+actor+"]}", "%s does not run in this scenario", actor)
	}
	return s.Errorf(at, spelling.Among(actor, known),
		"unknown actor %q: it sends no requests in this scenario", actor)
}

// checkSubresource wants a subresource that the resource has.
func checkSubresource(s *format.Scenario, at string, r *format.FaultRequest) *source.Error {
	kind := s.Kinds().Named(r.Resource)
	if r.Subresource == "" || r.Subresource == "*" || kind == nil {
		return nil
	}
	resource, known := kind.Resource, kind.Subresources
	if slices.Contains(known, r.Subresource) {
		return nil
	}
	try := "remove the line: " + resource + " have no subresources"
	if len(known) > 0 {
		try = spelling.Among(r.Subresource, known)
	}
	return s.Errorf(at, try, "%s have no subresource %q", resource, r.Subresource)
}
